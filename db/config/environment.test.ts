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
]
const cases = refused.flatMap(([name, mistake, values]) => values.map((value) => ({ name, mistake, value })))

it.each(cases)('$name cannot be $value, which is not repeated', ({ name, mistake, value }) => {
  expect(() => readConfig({ [name]: value })).toThrow(new UserError('configuration', `${name} ${mistake}`))
})
