import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fileDatabase } from '#db/fixtures.ts'
import { acquireExclusiveSiteLock, acquireSiteLock, acquireWriteLock } from './locks.ts'

vi.hoisted(() => Object.assign(globalThis.rsvpTestOverrides, { REQUEST_DEADLINE_MS: 500 }))

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

describe('the site lock', () => {
  it('is shared by any number of sites, and exclusive only after the last of them is gone', async () => {
    const sites = [await acquireSiteLock(path), await acquireSiteLock(path)]
    for (const release of sites) {
      await expect(acquireExclusiveSiteLock(path)).rejects.toMatchObject({ code: 'busy' })
      await release()
    }
    await (await acquireExclusiveSiteLock(path))()
  })

  it('delays sites that start while it is exclusive, until it is released', async () => {
    const release = await acquireExclusiveSiteLock(path)
    const starting = acquireSiteLock(path)
    await release()
    await (await starting)()
    expect(statSync(`${path}-site`).mode & 0o777).toBe(0o600)
  })

  it('ends with a process that is killed', async () => {
    const script = `import { acquireSiteLock } from '${join(import.meta.dirname, 'locks.ts')}'
      await acquireSiteLock('${path}'); console.log('held'); setInterval(() => {}, 1000)`
    const site = spawn(process.execPath, ['--input-type=module', '-e', script])
    await once(site.stdout, 'data')
    await expect(acquireExclusiveSiteLock(path)).rejects.toMatchObject({ code: 'busy' })
    site.kill('SIGKILL')
    await once(site, 'close')
    await (await acquireExclusiveSiteLock(path))()
  })
})

describe('the write lock', () => {
  it('is held by one process at a time', async () => {
    writeFileSync(path, '')
    const release = await acquireWriteLock(path)
    await expect(acquireWriteLock(path)).rejects.toMatchObject({ code: 'busy' })
    await release()
    await (await acquireWriteLock(path))()
  })
})
