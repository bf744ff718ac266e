import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import type { environment } from './environment.ts'
import { projectRoot } from './project-root.ts'

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
      securityContacts: [],
      backupFolder: undefined,
      backupTime: '02:30',
      backupsKept: 14,
      copies: {
        place: undefined,
        recipients: [],
        identityFile: undefined,
        kept: 30,
        storage: { keyId: undefined, key: undefined, region: 'us-east-1', server: undefined },
      },
      metricsToken: undefined,
      metricsTokenFile: undefined,
      logLevel: 'warn',
    })
  })

  // Node itself reads the time zone.
  const others: Record<Exclude<keyof typeof environment.shape, 'TZ'>, string> = {
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
    SECURITY_CONTACT: 'webmaster@example.org',
    BACKUP_DIR: '/srv/backups',
    BACKUP_TIME: '04:00',
    BACKUP_KEEP: '3',
    BACKUP_COPY_TO: 's3://copies/grace',
    BACKUP_COPY_RECIPIENT: 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p',
    BACKUP_COPY_IDENTITY_FILE: 'identity.txt',
    BACKUP_COPY_KEEP: '3',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'key',
    AWS_REGION: 'eu-central-1',
    AWS_ENDPOINT_URL_S3: 'https://s3.example.org',
    METRICS_TOKEN: 'a-token-of-20-letters',
    METRICS_TOKEN_FILE: 'token.txt',
    LOG_LEVEL: 'info',
  }
  it.each(Object.entries(others))('reads %s', (name, value) => {
    expect(readConfig({ [name]: value })).not.toEqual(readConfig({}))
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
      TRUSTED_PROXIES: 'proxy.example.org',
      ADMIN_PASSWORD: 'too short',
      RSVP_ACCESS: 'closed',
      RSVP_POST_LIMIT: 'none',
      SECURITY_CONTACT: 'the webmaster',
      METRICS_TOKEN: 'too short',
      LOG_LEVEL: 'loud',
    }
    expect(() => readConfig(wrong)).toThrow(
      [
        'PORT is not a port. Give a number from 0 to 65535, e.g. 4321.',
        'DATABASE_URL is not a database. Give file:./data/rsvp.db, http://… or libsql://….',
        'PUBLIC_URL is not the address of a site. Give scheme and host only, e.g. https://rsvp.example.org.',
        'TRUSTED_PROXIES is not a list of addresses. Give one, e.g. 127.0.0.1, 10.0.0.0/8.',
        'ADMIN_PASSWORD cannot be used. Give 12 to 128 characters.',
        'RSVP_ACCESS can only be open, or left out.',
        'RSVP_POST_LIMIT is not a valid limit. Give off, or two numbers, e.g. 60/30.',
        'SECURITY_CONTACT is not a list of contacts. Give mail addresses, or mailto:, https: or tel: addresses, e.g. webmaster@example.org, tel:+1-555-0142.',
        'METRICS_TOKEN cannot be used. Give at least 20 letters and digits without blanks, e.g. what `openssl rand -hex 32` prints.',
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

  it.each(['America/Chicago', 'UTC', 'Asia/Kathmandu', 'Europe/Kyiv', ''])('takes the time zone %j', (zone) => {
    expect(readConfig({ TZ: zone })).toEqual(readConfig({}))
  })

  it.each(['Mars/Olympus', 'Chicago', 'America/Chicago ', ':/etc/localtime', 'CST6CDT,M3.2.0,M11.1.0', '../zone'])(
    'refuses the time zone %j',
    (zone) => {
      expect(() => readConfig({ TZ: zone })).toThrow(
        'TZ is not a time zone. Give the name of one, e.g. America/Chicago.',
      )
    },
  )

  // Intl understands these when it is asked, but Node does not when they are in the environment: it has no zone then.
  it.each(['america/chicago', 'utc', '+05:00', '+0500'])('refuses %j, which the process would not use', (zone) => {
    expect(() => readConfig({ TZ: zone })).toThrow('TZ is not a time zone.')
  })
})
