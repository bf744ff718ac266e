import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileDatabase } from '#db/fixtures.ts'
import { announceSite, keepSitesAway, keepWritersAway } from './locks.ts'

let database: ReturnType<typeof fileDatabase>
let path: string

beforeEach(() => {
  database = fileDatabase()
  path = join(database.folder, 'rsvp.db')
})
afterEach(() => {
  chmodSync(database.folder, 0o700)
  database.stop()
})

describe('the lock of sites', () => {
  it('is held by as many sites as there are, and by nobody else until the last of them is gone', async () => {
    const sites = [await announceSite(path), await announceSite(path)]
    for (const release of sites) {
      await expect(keepSitesAway(path)).rejects.toMatchObject({ code: 'busy' })
      await release()
    }
    await (await keepSitesAway(path))()
  })

  it('keeps sites away that start meanwhile, until it is let go', async () => {
    const release = await keepSitesAway(path)
    const starting = announceSite(path)
    await release()
    await (await starting)()
    expect(statSync(`${path}-site`).mode & 0o777).toBe(0o600)
  })

  it('goes with a process that is killed', async () => {
    const script = `import { announceSite } from '${join(import.meta.dirname, 'locks.ts')}'
      await announceSite('${path}'); console.log('held'); setInterval(() => {}, 1000)`
    const site = spawn(process.execPath, ['--input-type=module', '-e', script])
    await once(site.stdout, 'data')
    await expect(keepSitesAway(path)).rejects.toMatchObject({ code: 'busy' })
    site.kill('SIGKILL')
    await once(site, 'close')
    await (await keepSitesAway(path))()
  })
})

describe('the lock of writers', () => {
  it('is held by one at a time', async () => {
    writeFileSync(path, '')
    const release = await keepWritersAway(path)
    await expect(keepWritersAway(path)).rejects.toMatchObject({ code: 'busy' })
    await release()
    await (await keepWritersAway(path))()
  })
})
