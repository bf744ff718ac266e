import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'rsvp-sites-'))
  mkdirSync(join(root, 'etc/rsvp'), { recursive: true })
  vi.stubEnv('RSVP_SYSTEM_ROOT', root)
  vi.resetModules()
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true, force: true })
})

/** The root of the system is read when the module is loaded. */
const load = () => import('./places.ts')
const addSite = (name: string, settings = '') => writeFileSync(join(root, 'etc/rsvp', `${name}.env`), settings)

describe('the folder of a site', () => {
  it('is the project in a checkout, whatever runs as a service there', async () => {
    addSite('grace')
    const { findSite } = await load()
    const { projectRoot } = await import('./places.ts')
    expect(findSite({})).toEqual({ folder: projectRoot, envFile: join(projectRoot, '.env') })
    expect(findSite({ RSVP_SITE: '' })).toEqual(findSite({}))
  })

  it('is its own where it is named, with its own settings', async () => {
    addSite('grace', 'PORT=4400\nBACKUP_DIR=backups\n')
    const { readSettings } = await import('./config.ts')
    const folder = join(root, 'var/lib/rsvp/grace')
    expect(readSettings({ RSVP_SITE: 'grace' })).toMatchObject({
      port: 4400,
      databaseUrl: `file:${folder}/data/rsvp.db`,
      backupFolder: join(folder, 'backups'),
    })
  })

  it('is refused where there is none of that name', async () => {
    const { findSite, listSites } = await load()
    expect(() => findSite({ RSVP_SITE: 'hope' })).toThrow('There is no site hope: ')
    expect(() => findSite({ RSVP_SITE: 'hope' })).toThrow(
      'There are none here; `rsvp service install --site hope` makes one.',
    )
    expect(listSites()).toEqual([])
    addSite('grace')
    writeFileSync(join(root, 'etc/rsvp/README'), '')
    expect(listSites()).toEqual(['grace'])
    expect(() => findSite({ RSVP_SITE: 'hope' })).toThrow('Those here are grace;')
  })
})
