import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { listSites } from '#db/config/places.ts'
import { layoutOf, program } from '../layout.ts'
import { releaseAt } from '../release.ts'
import { runningProcess } from '../state.ts'

/** Removes the releases that nothing needs: not in use, not the one before, and run by no site. */
export async function removeOldReleases(): Promise<void> {
  const links = await Promise.all([program.current, program.previous, program.unproved].map(releaseAt))
  const running = await Promise.all(listSites().map((site) => runningProcess(layoutOf(site).units[0] ?? '')))
  const needed = new Set([...links, ...running].map((release) => release?.version))
  for (const name of await readdir(program.releases).catch(() => [])) {
    if (!needed.has(name)) await rm(join(program.releases, name), { recursive: true, force: true })
  }
}
