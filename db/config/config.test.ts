import { afterEach, describe, expect, it, vi } from 'vitest'
import { UserError } from '#db/values/errors.ts'
import { dayIn } from '#db/values/time-zone.ts'
import { type Config, describeSettings, environment, readConfig, serverTimeZone } from './config.ts'
import { projectRoot } from './places.ts'

const SMTP_URL = 'smtps://ruth:three%40words@mail.example.org'
const MAIL_FROM = 'rsvp@example.org'

describe('the settings', () => {
  it('are all optional, and an empty one counts as not set', () => {
    expect(readConfig({ PORT: '', PUBLIC_URL: '' })).toEqual({
      host: '127.0.0.1',
      port: 4321,
      databaseUrl: `file:${projectRoot}/data/rsvp.db`,
      trustedProxies: [],
      postLimit: { atOnce: 60, everyMs: 2000 },
      openToNetwork: false,
      backupsKept: 14,
      logLevel: 'warn',
    })
  })

  it.each(describeSettings())('say what $name means, and may be set to the default', ({ name, meaning, preset }) => {
    expect(meaning).toMatch(/^[A-Za-z].*\.$/)
    expect(environment.parse({ [name]: preset || undefined })).toEqual(environment.parse({}))
  })

  it.each<[string, string, Partial<Config>]>([
    ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
    ['PORT', '0', { port: 0 }],
    ['DATABASE_URL', 'file:data/x.db', { databaseUrl: `file:${projectRoot}/data/x.db` }],
    ['DATABASE_URL', 'file:/srv/rsvp.db', { databaseUrl: 'file:/srv/rsvp.db' }],
    ['DATABASE_URL', 'file:///srv/rsvp.db', { databaseUrl: 'file:/srv/rsvp.db' }],
    ['DATABASE_URL', 'libsql://db.example.org', { databaseUrl: 'libsql://db.example.org' }],
    ['DATABASE_AUTH_TOKEN', 'token', { databaseAuthToken: 'token' }],
    ['PUBLIC_URL', 'https://RSVP.example.org/', { publicUrl: 'https://rsvp.example.org' }],
    ['TRUSTED_PROXIES', '127.0.0.1', { trustedProxies: ['127.0.0.1'] }],
    ['TRUSTED_PROXIES', ' ::1\t2001:db8::/32,\n,0.0.0.0/1 ', { trustedProxies: ['::1', '2001:db8::/32', '0.0.0.0/1'] }],
    ['TRUSTED_PROXIES', ' , ', { trustedProxies: [] }],
    ['ADMIN_PASSWORD', '  x'.repeat(5), { adminPassword: '  x'.repeat(5) }],
    ['ADMIN_PASSWORD', 'ключ под ковриком', { adminPassword: 'ключ под ковриком' }],
    ['ADMIN_PASSWORD_FILE', 'password.txt', { adminPasswordFile: `${projectRoot}/password.txt` }],
    ['RSVP_ACCESS', 'open', { openToNetwork: true }],
    ['RSVP_POST_LIMIT', '5/7', { postLimit: { atOnce: 5, everyMs: 8572 } }],
    ['RSVP_POST_LIMIT', '999999/999999', { postLimit: { atOnce: 999_999, everyMs: 1 } }],
    ['RSVP_POST_LIMIT', 'off', { postLimit: undefined }],
    ['BACKUP_DIR', '/srv/backups', { backupFolder: '/srv/backups' }],
    ['BACKUP_KEEP', '3', { backupsKept: 3 }],
    // Node itself reads it.
    ['TZ', 'America/Chicago', {}],
    ['LOG_LEVEL', 'info', { logLevel: 'info' }],
  ])('read %s=%s', (name, value, read) => {
    expect(readConfig({ [name]: value })).toEqual({ ...readConfig({}), ...read })
  })

  it.each([
    ['PORT', 'is not a port. Give a number from 0 to 65535, e.g. 4321.', ['-1', '65536', '80.5']],
    [
      'DATABASE_URL',
      'is not a database. Give file:./data/rsvp.db, http://… or libsql://….',
      ['file:', 'file://data/rsvp.db', 'file::memory:', 'file:a?mode=memory', 'file:a#b', 'rsvp.db', 'ftp://x'],
    ],
    [
      'PUBLIC_URL',
      'is not the address of a site. Give scheme and host only, e.g. https://rsvp.example.org.',
      ['https://a.org/rsvp', 'rsvp.example.org'],
    ],
    [
      'TRUSTED_PROXIES',
      'is not a list of addresses. Give one, e.g. 127.0.0.1, 10.0.0.0/8.',
      ['proxy', '*', '10.0.0.256', '10.0.0.0/33', '0.0.0.0/0', '10.0.0.0/08', '::1/129', 'fe80::1%eth0', '::1;::2'],
    ],
    [
      'ADMIN_PASSWORD',
      'cannot be used. Give 12 to 128 characters.',
      ['x'.repeat(11), 'x'.repeat(129), ' '.repeat(12), ` ${'x'.repeat(11)} `, `three words\0in a row`],
    ],
    ['RSVP_ACCESS', 'can only be open, or left out.', ['closed']],
    [
      'RSVP_POST_LIMIT',
      'is not a valid limit. Give off, or two numbers, e.g. 60/30.',
      ['60', '0/30', '60/0', '1.5/1', '60/30/1', 'OFF', '1000000/1', '1/1000000'],
    ],
    ['BACKUP_KEEP', 'is not a number of backups. Give one from 1 to 9999, e.g. 14.', ['0', '10000', 'all']],
    // Intl understands the last ones when it is asked, but Node does not in the environment: it has no zone then.
    [
      'TZ',
      'is not a time zone. Give the name of one, e.g. America/Chicago.',
      ['Mars/Olympus', ':/etc/localtime', 'america/chicago', '+05:00'],
    ],
    ['LOG_LEVEL', 'is not a log level. Give one of fatal, error, warn, info, debug, trace, silent.', ['loud']],
  ])('refuse a wrong %s without repeating it', (name, mistake, values) => {
    for (const value of values)
      expect(() => readConfig({ [name]: value })).toThrow(new UserError('configuration', `${name} ${mistake}`))
  })

  it('name every mistake at once', () => {
    expect(() => readConfig({ PORT: '70000', RSVP_ACCESS: 'closed', TZ: 'Mars', BACKUP_KEEP: '0', SMTP_URL })).toThrow(
      /^PORT .+\nRSVP_ACCESS .+\nBACKUP_KEEP .+\nTZ .+\nSMTP_URL and MAIL_FROM .+$/,
    )
  })
})

describe('the mail server', () => {
  it('needs the address that mail comes from, and the other way round', () => {
    for (const server of [SMTP_URL, 'smtp://localhost:25', 'smtp://mail:1025?tls=off', 'smtp://[::1]:25/'])
      expect(readConfig({ SMTP_URL: server, MAIL_FROM }).mail).toEqual({ server, from: MAIL_FROM, name: '' })
    expect(() => readConfig({ SMTP_URL, MAIL_FROM: 'Grace Church' })).toThrow(
      'MAIL_FROM is not an email address. Give ',
    )
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
  ])('has the address and the name in %s', (from, name) => {
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
  ])('is refused as %s without repeating it', (server) => {
    expect(() => readConfig({ SMTP_URL: server, MAIL_FROM })).toThrow(/^SMTP_URL is not a mail server\. (?!.*ruth)/)
  })
})

describe('serverTimeZone', () => {
  afterEach(() => vi.unstubAllEnvs())

  it.each([
    ['', 'UTC'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['America/Chicago', 'America/Chicago'],
  ])('with TZ=%s is %s, also after another one', (variable, expected) => {
    const moment = new Date('2025-01-05T20:00:00Z')
    vi.stubEnv('TZ', variable)
    expect(dayIn(serverTimeZone(), moment)).toBe(dayIn(expected, moment))
  })
})
