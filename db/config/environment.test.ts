import { describe, expect, it } from 'vitest'
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

describe('the setting TRUSTED_PROXIES', () => {
  it.each([
    ['127.0.0.1', ['127.0.0.1']],
    ['127.0.0.1, 10.0.0.0/8', ['127.0.0.1', '10.0.0.0/8']],
    [' ::1\t2001:db8::/32,\n,0.0.0.0/1 ', ['::1', '2001:db8::/32', '0.0.0.0/1']],
    [' , ', []],
  ])('%j is the list %j', (given, networks) => {
    expect(readConfig({ TRUSTED_PROXIES: given }).trustedProxies).toEqual(networks)
  })

  it.each(['proxy', '*', '10.0.0.256', '10.0.0.0/33', '0.0.0.0/0', '10.0.0.0/08', '127.0.0.1;10.0.0.1'])(
    'cannot be %j',
    (given) => {
      expect(() => readConfig({ TRUSTED_PROXIES: given })).toThrow(
        /^TRUSTED_PROXIES is not a list of addresses. Give one, e.g. 127.0.0.1, 10.0.0.0\/8.$/,
      )
    },
  )
})

describe('the setting RSVP_POST_LIMIT', () => {
  it.each([
    ['', { atOnce: 60, everyMs: 2000 }],
    ['1/1', { atOnce: 1, everyMs: 60_000 }],
    ['5/7', { atOnce: 5, everyMs: 8572 }],
    ['999999/999999', { atOnce: 999_999, everyMs: 1 }],
    ['off', undefined],
  ])('%j is %j', (given, limit) => {
    expect(readConfig({ RSVP_POST_LIMIT: given }).postLimit).toEqual(limit)
  })

  it.each(['60', '0/30', '60/0', '1.5/1', '60/30/1', 'OFF', '1000000/1', '1/1000000'])('cannot be %j', (given) => {
    expect(() => readConfig({ RSVP_POST_LIMIT: given })).toThrow(
      /^RSVP_POST_LIMIT is not a valid limit. Give off, or two numbers, e.g. 60\/30.$/,
    )
  })
})

describe('the setting ADMIN_PASSWORD', () => {
  it.each(['x'.repeat(12), '  x'.repeat(5), 'ключ под ковриком', '🔑'.repeat(12)])('can be %j', (given) => {
    expect(readConfig({ ADMIN_PASSWORD: given }).adminPassword).toBe(given)
  })

  it.each(['x'.repeat(11), 'x'.repeat(129), ' '.repeat(12), ` ${'x'.repeat(11)} `, `three words\0in a row`])(
    'cannot be %j, which is not repeated',
    (given) => {
      expect(() => readConfig({ ADMIN_PASSWORD: given })).toThrow(
        /^ADMIN_PASSWORD cannot be used. Give 12 to 128 characters.$/,
      )
    },
  )
})

describe('the setting SECURITY_CONTACT', () => {
  it.each([
    ['webmaster@example.org', ['mailto:webmaster@example.org']],
    ['mailto:a+b@example.org, tel:+1-555-0142', ['mailto:a+b@example.org', 'tel:+1-555-0142']],
    ['https://gemeinde-köln.example', ['https://xn--gemeinde-kln-ejb.example/']],
    [' a@example.org ,\n b@example.org ', ['mailto:a@example.org', 'mailto:b@example.org']],
    [' , ', []],
  ])('%j is the list %j', (given, contacts) => {
    expect(readConfig({ SECURITY_CONTACT: given }).securityContacts).toEqual(contacts)
  })

  it.each([
    'webmaster',
    'http://example.org',
    'https://user:secret@example.org',
    'jürgen@example.org',
    'tel:call me',
    'a@example.org\0Contact:b@example.org',
  ])('cannot be %j', (given) => {
    expect(() => readConfig({ SECURITY_CONTACT: given })).toThrow(/^SECURITY_CONTACT is not a list of contacts\. /)
  })
})

describe('the setting BACKUP_COPY_TO', () => {
  it.each([
    ['/mnt/copies of grace', { kind: 'folder', folder: '/mnt/copies of grace' }],
    ['ssh://backup.example.org/srv/copies/', ssh('backup.example.org', '/srv/copies')],
    ['ssh://rsvp@backup.example.org:2222/srv', ssh('rsvp@backup.example.org', '/srv', '2222')],
    ['ssh://rsvp@[2001:db8::1]/', ssh('rsvp@[2001:db8::1]', '/')],
    ['s3://copies', { kind: 's3', bucket: 'copies', prefix: '' }],
    ['s3://copies.grace/sites/grace/', { kind: 's3', bucket: 'copies.grace', prefix: 'sites/grace' }],
  ])('%j is %j', (given, address) => {
    expect(readConfig({ BACKUP_COPY_TO: given }).copies.place).toEqual({
      title: given.replace(/([^/])\/$/, '$1'),
      address,
    })
  })

  it.each([
    'copies',
    'ssh://-oProxyCommand=x/srv',
    'ssh://rsvp:secret@host/srv',
    'ssh://host/$(id)',
    's3://Copies',
    'ftp://host/srv',
  ])('cannot be %j', (given) => {
    expect(() => readConfig({ BACKUP_COPY_TO: given })).toThrow(/^BACKUP_COPY_TO is not a place for copies\. Give /)
  })
})

describe('the setting BACKUP_COPY_RECIPIENT', () => {
  const one = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p'
  const other = one.replace('ql3z', 'ql3y')

  it('can be several', () => {
    expect(readConfig({ BACKUP_COPY_RECIPIENT: `${one}, ${other}` }).copies.recipients).toEqual([one, other])
  })

  // The identity instead of the recipient: whoever reads the settings could decrypt.
  it.each(['age1short', 'AGE-SECRET-KEY-1QQPQQ', `${one}; ${other}`])(
    'cannot be %j, which is not repeated',
    (given) => {
      expect(() => readConfig({ BACKUP_COPY_RECIPIENT: given })).toThrow(
        /^BACKUP_COPY_RECIPIENT is not an age recipient\. Give what `rsvp init --backup-key FILE` prints: it begins with age1\.$/,
      )
    },
  )
})

describe('the setting AWS_ENDPOINT_URL_S3', () => {
  it.each(['s3.example.org', 'ftp://s3.example.org', 'https://id:key@s3.example.org', 'https://s3.example.org/?key=1'])(
    'cannot be %j',
    (given) => {
      expect(() => readConfig({ AWS_ENDPOINT_URL_S3: given })).toThrow(/^AWS_ENDPOINT_URL_S3 is not the address of a/)
    },
  )
})

function ssh(login: string, folder: string, port?: string) {
  return { kind: 'ssh', login, port, folder }
}
