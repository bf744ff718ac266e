import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { fileForEachTest } from '#testing/database-fixtures.ts'
import { acquireExclusiveSiteLock, acquireSiteLock, acquireWriteLock } from './locks.ts'

vi.hoisted(() => Object.assign(globalThis.rsvpTestOverrides, { REQUEST_DEADLINE_MS: 500 }))

const database = fileForEachTest()

describe('the site lock', () => {
  it('is shared by any number of sites, and exclusive only after the last of them is gone', async () => {
    const sites = [await acquireSiteLock(database.file), await acquireSiteLock(database.file)]
    for (const release of sites) {
      await expect(acquireExclusiveSiteLock(database.file)).rejects.toMatchObject({ code: 'busy' })
      await release()
    }
    await (await acquireExclusiveSiteLock(database.file))()
  })

  it('delays sites that start while it is exclusive, until it is released', async () => {
    const release = await acquireExclusiveSiteLock(database.file)
    const starting = acquireSiteLock(database.file)
    await release()
    await (await starting)()
    expect(statSync(`${database.file}-site`).mode & 0o777).toBe(0o600)
  })

  it('ends with a process that is killed', async () => {
    const script = `import { acquireSiteLock } from '${join(import.meta.dirname, 'locks.ts')}'
      await acquireSiteLock('${database.file}'); console.log('held'); setInterval(() => {}, 1000)`
    const site = spawn(process.execPath, ['--input-type=module', '-e', script])
    await once(site.stdout, 'data')
    await expect(acquireExclusiveSiteLock(database.file)).rejects.toMatchObject({ code: 'busy' })
    site.kill('SIGKILL')
    await once(site, 'close')
    await (await acquireExclusiveSiteLock(database.file))()
  })
})

describe('the write lock', () => {
  it('is held by one process at a time', async () => {
    writeFileSync(database.file, '')
    const release = await acquireWriteLock(database.file)
    await expect(acquireWriteLock(database.file)).rejects.toMatchObject({ code: 'busy' })
    await release()
    await (await acquireWriteLock(database.file))()
  })
})
