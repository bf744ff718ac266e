import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { environment } from './environment.ts'
import { findUnknownSettings, meantBy } from './unknown-settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'rsvp-unknown-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('meantBy', () => {
  it.each([
    ['PUBLIC_URI', 'PUBLIC_URL'],
    ['PUBLICURL', 'PUBLIC_URL'],
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
    ['BACKUP_FOLDER', 'BACKUP_DIR'],
    ['BACKUP_KEEPS', 'BACKUP_KEEP'],
    ['ADMIN_PASWORD', 'ADMIN_PASSWORD'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['RSVP_ACCES', 'RSVP_ACCESS'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['PORTS', 'PORT'],
    ['port', 'PORT'],
    ['tz', 'TZ'],
  ])('takes %s for %s', (name, setting) => expect(meantBy(name)).toBe(setting))

  const foreign = ['NODE_ENV', 'SMTP_HOST', 'PGHOST', 'PGPORT', 'DB_PASSWORD', 'DATABASE_USER', 'BASE_URL', 'PATH']

  it.each([...foreign, 'COMPOSE_PROJECT_NAME', 'TZDIR', 'HTTP_PROXY', 'EMAIL', 'A', ''])(
    'leaves %j to other programs',
    (name) => expect(meantBy(name)).toBeUndefined(),
  )

  it.each(Object.keys(environment.shape))('knows %s', (name) => expect(meantBy(name)).toBeUndefined())
})

describe('findUnknownSettings', () => {
  it('names each line of .env that sets nothing, and repeats no value', () => {
    const file = join(folder, '.env')
    writeFileSync(
      file,
      '# BACKUP_FOLDERS=x\nPORT=1\nexport BACKUP_FOLDER="/secret"\nSMTP_HOST=a\nADMIN_PASWORD=secret\n',
    )
    expect(findUnknownSettings(file)).toEqual([
      'ADMIN_PASWORD in .env is not a setting, and does nothing. Did you mean ADMIN_PASSWORD?',
      'BACKUP_FOLDER in .env is not a setting, and does nothing. Did you mean BACKUP_DIR?',
    ])
  })

  it('has nothing to say where there is none', () => {
    expect(findUnknownSettings(join(folder, 'missing'))).toEqual([])
  })
})
