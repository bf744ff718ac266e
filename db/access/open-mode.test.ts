import { describe, expect, it } from 'vitest'
import { readConfig } from '#db/config/config.ts'
import { openModeRefusal } from './open-mode.ts'

const refusalOf = (variables: Record<string, string | undefined>) => openModeRefusal(readConfig(variables))

const advice =
  'can be reached from other machines, and no admin password is set. Set one with `npx rsvp password`,\n' +
  'or set RSVP_ACCESS=open if everyone who can reach this address may administer the site.'

describe('openModeRefusal', () => {
  it('lets a site start as it comes', () => {
    expect(refusalOf({})).toBeUndefined()
  })

  it.each(['localhost', '127.0.0.1', '::1', '[::1]'])('lets a site start on %s', (host) => {
    expect(refusalOf({ HOST: host })).toBeUndefined()
  })

  it.each([
    '0.0.0.0',
    '::',
    '192.168.1.10',
    'rsvp.example.org',
    'localhost.example.org',
    '127.0.0.1.example.org',
    'notlocalhost',
    '127.0.0.10',
    '127a0b0c1',
    '127.0.0.1 ',
  ])('refuses to listen on %j', (host) => {
    expect(refusalOf({ HOST: host })).toBe(`HOST=${host} ${advice}`)
  })

  it.each(['http://localhost:4321', 'http://127.0.0.1', 'http://[::1]:4321', 'http://LOCALHOST'])(
    'lets a site start that is reached at %s',
    (url) => {
      expect(refusalOf({ PUBLIC_URL: url })).toBeUndefined()
    },
  )

  it.each(['https://rsvp.example.org', 'http://192.168.1.10:4321', 'https://localhost.example.org'])(
    'refuses to be reached at %s',
    (url) => {
      expect(refusalOf({ PUBLIC_URL: url })).toBe(`PUBLIC_URL=${url} ${advice}`)
    },
  )

  it('names the address it listens on first', () => {
    expect(refusalOf({ HOST: '0.0.0.0', PUBLIC_URL: 'https://rsvp.example.org' })).toBe(`HOST=0.0.0.0 ${advice}`)
  })

  it.each([{ HOST: '0.0.0.0' }, { PUBLIC_URL: 'https://rsvp.example.org' }])(
    'lets a site start with %o where everyone may administer',
    (variables) => {
      expect(refusalOf({ ...variables, RSVP_ACCESS: 'open' })).toBeUndefined()
    },
  )
})
