import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { environment } from './environment.ts'
import { findMisreadSettings } from './unknown-settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'rsvp-unknown-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The setting that a name in .env is taken for. */
function meantBy(name: string): string | undefined {
  const file = join(folder, 'one.env')
  writeFileSync(file, `${name}=1\n`)
  const [sentence = ''] = findMisreadSettings(file)
  return /^\S+ in \.env is not a setting, .+ Did you mean (.+)\?$/.exec(sentence)?.[1]
}

describe('a name in .env', () => {
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
  ])('is taken, if it is %s, for %s', (name, setting) => expect(meantBy(name)).toBe(setting))

  const foreign = ['NODE_ENV', 'SMTP_HOST', 'PGHOST', 'PGPORT', 'DB_PASSWORD', 'DATABASE_USER', 'BASE_URL', 'PATH']

  it.each([...foreign, 'COMPOSE_PROJECT_NAME', 'TZDIR', 'HTTP_PROXY', 'EMAIL', 'A', ''])(
    'is left to other programs if it is %j',
    (name) => expect(meantBy(name)).toBeUndefined(),
  )

  it.each(Object.keys(environment.shape))('is known if it is %s', (name) => expect(meantBy(name)).toBeUndefined())
})

describe('findMisreadSettings', () => {
  it('names each line of .env that sets nothing, and repeats no value', () => {
    const file = join(folder, '.env')
    writeFileSync(
      file,
      '# BACKUP_FOLDERS=x\nPORT=1\nexport BACKUP_FOLDER="/secret"\nSMTP_HOST=a\nADMIN_PASWORD=secret\n',
    )
    expect(findMisreadSettings(file)).toEqual([
      'ADMIN_PASWORD in .env is not a setting, and does nothing. Did you mean ADMIN_PASSWORD?',
      'BACKUP_FOLDER in .env is not a setting, and does nothing. Did you mean BACKUP_DIR?',
    ])
  })

  it('has nothing to say where there is none', () => {
    expect(findMisreadSettings(join(folder, 'missing'))).toEqual([])
  })
})
