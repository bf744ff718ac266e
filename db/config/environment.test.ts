import { describe, expect, it } from 'vitest'
import { UserError } from '#db/errors.ts'
import { readConfig } from './config.ts'
import { describeSettings, environment } from './environment.ts'

describe('the settings', () => {
  const settings = describeSettings()

  it.each(settings)('say what $name means, in sentences', ({ meaning }) => {
    expect(meaning).toMatch(/^[A-Za-z].*\.$/)
  })

  it.each(settings.filter(({ example }) => example !== ''))('take $example as $name', ({ name, example }) => {
    expect(environment.safeParse({ [name]: example }).error).toBeUndefined()
  })

  it.each(settings.filter(({ preset }) => preset !== ''))('take its default for $name', ({ name, preset }) => {
    expect(environment.parse({ [name]: preset })).toEqual(environment.parse({}))
  })
})

const age = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p'
const otherAge = age.replace('ql3z', 'ql3y')

describe('the settings read', () => {
  it.each([
    ['127.0.0.1', ['127.0.0.1']],
    [' ::1\t2001:db8::/32,\n,0.0.0.0/1 ', ['::1', '2001:db8::/32', '0.0.0.0/1']],
    [' , ', []],
  ])('%j as the proxies %j', (given, networks) => {
    expect(readConfig({ TRUSTED_PROXIES: given }).trustedProxies).toEqual(networks)
  })

  it.each([
    ['', { atOnce: 60, everyMs: 2000 }],
    ['1/1', { atOnce: 1, everyMs: 60_000 }],
    ['5/7', { atOnce: 5, everyMs: 8572 }],
    ['999999/999999', { atOnce: 999_999, everyMs: 1 }],
    ['off', undefined],
  ])('%j as the limit %j', (given, limit) => {
    expect(readConfig({ RSVP_POST_LIMIT: given }).postLimit).toEqual(limit)
  })

  it.each(['x'.repeat(12), '  x'.repeat(5), 'ключ под ковриком', '🔑'.repeat(12)])('the password %j', (given) => {
    expect(readConfig({ ADMIN_PASSWORD: given }).adminPassword).toBe(given)
  })

  it.each([
    ['/mnt/copies of grace', { kind: 'folder', folder: '/mnt/copies of grace' }],
    ['ssh://backup.example.org/srv/copies/', ssh('backup.example.org', '/srv/copies')],
    ['ssh://rsvp@backup.example.org:2222/srv', ssh('rsvp@backup.example.org', '/srv', '2222')],
    ['ssh://rsvp@[2001:db8::1]/', ssh('rsvp@[2001:db8::1]', '/')],
    ['s3://copies', { kind: 's3', bucket: 'copies', prefix: '' }],
    ['s3://copies.grace/sites/grace/', { kind: 's3', bucket: 'copies.grace', prefix: 'sites/grace' }],
  ])('%j as the place %j', (given, address) => {
    const title = given.replace(/([^/])\/$/, '$1')
    expect(readConfig({ BACKUP_COPY_TO: given }).copies.place).toEqual({ title, address })
  })

  it('several recipients', () => {
    expect(readConfig({ BACKUP_COPY_RECIPIENT: `${age}, ${otherAge}` }).copies.recipients).toEqual([age, otherAge])
  })
})

/** What each setting cannot be, with its message. */
const refused: [name: string, mistake: string, values: string[]][] = [
  [
    'TRUSTED_PROXIES',
    'is not a list of addresses. Give one, e.g. 127.0.0.1, 10.0.0.0/8.',
    ['proxy', '*', '10.0.0.256', '10.0.0.0/33', '0.0.0.0/0', '10.0.0.0/08', '127.0.0.1;10.0.0.1'],
  ],
  [
    'RSVP_POST_LIMIT',
    'is not a valid limit. Give off, or two numbers, e.g. 60/30.',
    ['60', '0/30', '60/0', '1.5/1', '60/30/1', 'OFF', '1000000/1', '1/1000000'],
  ],
  [
    'ADMIN_PASSWORD',
    'cannot be used. Give 12 to 128 characters.',
    ['x'.repeat(11), 'x'.repeat(129), ' '.repeat(12), ` ${'x'.repeat(11)} `, `three words\0in a row`],
  ],
  [
    'BACKUP_COPY_TO',
    'is not a place for copies. Give an absolute path, e.g. /mnt/copies, ssh://user@host/path or s3://bucket/prefix.',
    [
      'copies',
      'ssh://-oProxyCommand=x/srv',
      'ssh://a:secret@host/srv',
      'ssh://host/$(id)',
      's3://Copies',
      'ftp://host/',
    ],
  ],
  // The second is the identity: whoever reads the settings could decrypt.
  [
    'BACKUP_COPY_RECIPIENT',
    'is not an age recipient. Give what `rsvp init --backup-key FILE` prints: it begins with age1.',
    ['age1short', 'AGE-SECRET-KEY-1QQPQQ', `${age}; ${otherAge}`],
  ],
  [
    'AWS_ENDPOINT_URL_S3',
    'is not the address of a storage server. Give one, e.g. https://s3.example.org.',
    ['s3.example.org', 'ftp://s3.example.org', 'https://id:key@s3.example.org', 'https://s3.example.org/?key=1'],
  ],
]
const cases = refused.flatMap(([name, mistake, values]) => values.map((value) => ({ name, mistake, value })))

it.each(cases)('$name cannot be $value, which is not repeated', ({ name, mistake, value }) => {
  expect(() => readConfig({ [name]: value })).toThrow(new UserError('configuration', `${name} ${mistake}`))
})

function ssh(login: string, folder: string, port?: string) {
  return { kind: 'ssh', login, port, folder }
}
