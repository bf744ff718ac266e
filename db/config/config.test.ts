import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { findCutSettings, findMisreadSettings, readConfig } from './config.ts'
import { environment } from './environment.ts'
import { projectRoot } from './places.ts'

describe('readConfig', () => {
  it('needs nothing to be set', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1',
      port: 4321,
      databaseUrl: `file:${projectRoot}/data/rsvp.db`,
      databaseAuthToken: undefined,
      publicUrl: undefined,
      trustedProxies: [],
      adminPassword: undefined,
      adminPasswordFile: undefined,
      postLimit: { atOnce: 60, everyMs: 2000 },
      openToNetwork: false,
      backupFolder: undefined,
      backupTime: '02:30',
      backupsKept: 14,
      mail: undefined,
      logLevel: 'warn',
    })
  })

  // Node itself reads the time zone.
  const others: Record<Exclude<keyof typeof environment.shape, 'TZ' | 'SMTP_URL' | 'MAIL_FROM'>, string> = {
    HOST: '0.0.0.0',
    PORT: '80',
    DATABASE_URL: 'libsql://db.example.org',
    DATABASE_AUTH_TOKEN: 'token',
    PUBLIC_URL: 'https://rsvp.example.org',
    TRUSTED_PROXIES: '10.0.0.1',
    ADMIN_PASSWORD: 'twelve characters',
    ADMIN_PASSWORD_FILE: 'password.txt',
    RSVP_ACCESS: 'open',
    RSVP_POST_LIMIT: 'off',
    BACKUP_DIR: '/srv/backups',
    BACKUP_TIME: '04:00',
    BACKUP_KEEP: '3',
    LOG_LEVEL: 'info',
  }
  it.each(Object.entries(others))('reads %s', (name, value) => {
    expect(readConfig({ [name]: value })).not.toEqual(readConfig({}))
  })

  const SMTP_URL = 'smtps://ruth:three%40words@mail.example.org'
  const MAIL_FROM = 'rsvp@example.org'

  it('reads SMTP_URL and MAIL_FROM together', () => {
    for (const server of [SMTP_URL, 'smtp://localhost:25', 'smtp://mail:1025?tls=off', 'smtp://[::1]:25/'])
      expect(readConfig({ SMTP_URL: server, MAIL_FROM }).mail).toEqual({ server, from: MAIL_FROM, name: '' })
    expect(() => readConfig({ SMTP_URL, MAIL_FROM: 'Grace Church' })).toThrow('MAIL_FROM is not an email address.')
    for (const one of [{ SMTP_URL }, { MAIL_FROM }])
      expect(() => readConfig(one)).toThrow('SMTP_URL and MAIL_FROM belong together: set the one that is missing.')
  })

  it.each([
    ['Grace Church <rsvp@example.org>', 'Grace Church'],
    ['"Grace, the Church" <rsvp@example.org>', 'Grace, the Church'],
    ["'Grace Church' <mailto:rsvp@example.org>", 'Grace Church'],
    ['“Grace Church”<rsvp@example.org>', 'Grace Church'],
    ['"Grace Church <rsvp@example.org>"', 'Grace Church'],
    ['<rsvp@example.org>', ''],
  ])('reads the address and the name in %s', (from, name) => {
    expect(readConfig({ SMTP_URL, MAIL_FROM: from }).mail).toEqual({ server: SMTP_URL, from: MAIL_FROM, name })
  })

  it.each([
    'mail.example.org',
    'https://mail.example.org',
    'smtp://',
    'smtp://ruth@mail.example.org',
    'smtp://ruth:pass@word@mail.example.org/inbox',
    'smtp://ruth:100%@mail.example.org',
    'smtp://ruth:a#b@mail.example.org',
    'smtp://ruth:a?b@mail.example.org',
    'smtp://mail.example.org?tls=maybe',
    'smtps://mail.example.org?tls=off',
  ])('refuses the mail server %s without repeating it', (server) => {
    expect(() => readConfig({ SMTP_URL: server, MAIL_FROM })).toThrow(/^SMTP_URL is not a mail server\. (?!.*ruth)/)
  })

  it.each([
    ['SMTP_URL', ' „smtp://mail.example.org“ '],
    ['BACKUP_DIR', '"/backups"\r'],
    ['ADMIN_PASSWORD', '"twelve characters"'],
  ])('names the quotes around %s=%s', (name, value) => {
    const sentence = `${name} has quotation marks around it, which count as a part of it here. Leave them out.`
    expect(() => readConfig({ MAIL_FROM, SMTP_URL, [name]: value })).toThrow(new RegExp(`^${sentence}$`))
  })

  it.each(['"twelve characters', "'tis a long pass'"])('takes the password %s', (ADMIN_PASSWORD) => {
    expect(readConfig({ ADMIN_PASSWORD }).adminPassword).toBe(ADMIN_PASSWORD)
  })

  it('takes an empty variable for one that is not set', () => {
    expect(readConfig({ PORT: '', PUBLIC_URL: '' })).toEqual(readConfig({}))
  })

  it.each([
    ['file:data/x.db', `file:${projectRoot}/data/x.db`],
    ['file:/srv/rsvp.db', 'file:/srv/rsvp.db'],
    ['file:///srv/rsvp.db', 'file:/srv/rsvp.db'],
    ['libsql://db.example.org', 'libsql://db.example.org'],
  ])('reads the database address %s', (given, absolute) => {
    expect(readConfig({ DATABASE_URL: given }).databaseUrl).toBe(absolute)
  })

  it('names every mistake at once', () => {
    const wrong = {
      PORT: '70000',
      DATABASE_URL: 'postgres://x',
      PUBLIC_URL: 'https://a.org/rsvp',
      RSVP_ACCESS: 'closed',
      LOG_LEVEL: 'loud',
    }
    expect(() => readConfig(wrong)).toThrow(
      [
        'PORT is not a port. Give a number from 0 to 65535, e.g. 4321.',
        'DATABASE_URL is not a database. Give file:./data/rsvp.db, http://… or libsql://….',
        'PUBLIC_URL is not the address of a site. Give scheme and host only, e.g. https://rsvp.example.org.',
        'RSVP_ACCESS can only be open, or left out.',
        'LOG_LEVEL is not a log level. Give one of fatal, error, warn, info, debug, trace, silent.',
      ].join('\n'),
    )
  })

  it.each(['file:', 'file://data/rsvp.db', 'file::memory:', 'file:a?mode=memory', 'file:a#b', 'rsvp.db', 'ftp://x'])(
    'refuses the database %s',
    (url) => {
      expect(() => readConfig({ DATABASE_URL: url })).toThrow(/^DATABASE_URL /)
    },
  )

  it.each(['America/Chicago', ''])('takes the time zone %j', (zone) => {
    expect(readConfig({ TZ: zone })).toEqual(readConfig({}))
  })

  // Intl understands the last ones when it is asked, but Node does not in the environment: it has no zone then.
  it.each(['Mars/Olympus', ':/etc/localtime', 'america/chicago', '+05:00'])('refuses the time zone %j', (zone) => {
    expect(() => readConfig({ TZ: zone })).toThrow('TZ is not a time zone. Give the name of one, e.g. America/Chicago.')
  })
})

const folder = mkdtempSync(join(tmpdir(), 'rsvp-config-'))
const file = join(folder, '.env')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it.each([findCutSettings, findMisreadSettings])('nothing is wrong with a file that is not there', (find) => {
  expect(find(join(folder, 'missing'))).toEqual([])
})

describe('findCutSettings', () => {
  function findIn(text: string): string[] {
    writeFileSync(file, text)
    return findCutSettings(file)
  }

  const AT_HASH = " in .env is read only as far as its #. Put the whole value in quotes, e.g. NAME='a#b'."
  const AT_QUOTE =
    ' in .env is read only as far as its second quote. Put quotes of another kind around the whole value.'

  it.each([
    ['ADMIN_PASSWORD=correct#horse', 'correct', AT_HASH],
    ['  export  ADMIN_PASSWORD = correct#horse', 'correct', AT_HASH],
    ['ADMIN_PASSWORD=correct#horse\r', 'correct', AT_HASH],
    ['ADMIN_PASSWORD=correct horse #4', 'correct horse', AT_HASH],
    ['ADMIN_PASSWORD="correct"horse', 'correct', AT_QUOTE],
    ['ADMIN_PASSWORD="correct\\"horse"', 'correct\\', AT_QUOTE],
    ["ADMIN_PASSWORD='correct'horse'", 'correct', AT_QUOTE],
    ['DATABASE_URL=file:./data/a#b.db # ours', 'file:./data/a', AT_HASH],
  ])('names %j, of which %j is read', (line, read, sentence) => {
    const [[name = '', value] = []] = Object.entries(parseEnv(line))
    expect(value).toBe(read)
    expect(findIn(`A=1\n${line}\nB=2\n`)).toEqual([`${name}${sentence.replace('NAME', name)}`])
  })

  it.each([
    'ADMIN_PASSWORD="correct#horse"',
    'ADMIN_PASSWORD=`correct#horse`# ours',
    'ADMIN_PASSWORD=correct horse # ours',
    'PORT=4321 # the port',
    'SMTP_PASSWORD=correct#horse',
    'ADMIN_PASSWORD=correct#horse\nADMIN_PASSWORD="correct#horse"',
    'NOTE="\nADMIN_PASSWORD=correct#horse\n"',
  ])('has nothing to say of %j', (text) => expect(findIn(text)).toEqual([]))
})

it('findMisreadSettings names each line of .env that sets nothing, and repeats no value', () => {
  const [ours, others] = [
    ['BACKUP_FOLDER', 'SECURITY_CONTACT', 'trusted_proxy'],
    ['NODE_ENV', 'SMTP_HOST', 'PGPORT'],
  ]
  const lines = [...ours, ...others, ...Object.keys(environment.shape)].map((name) => `export ${name}="secret"`)
  writeFileSync(file, ['# BACKUP_FOLDERS=x', ...lines].join('\n'))
  const todo = '`rsvp help environment` lists them.'
  const sentences = ours.map((name) => `${name} in .env is not a setting, and does nothing. ${todo}`)
  expect(findMisreadSettings(file).toSorted()).toEqual(sentences.toSorted())
})
