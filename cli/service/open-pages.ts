import { existsSync } from 'node:fs'
import { copyFile, readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { makeSharedFolder } from './files.ts'

/** How long pages that are open find the files of a release that was replaced; the site serves them no longer. */
const TTL_MS = 24 * 60 * 60 * 1000

/**
 * Gives a release the scripts and styles of the one it replaces: pages that people have open request them still. Those of
 * the last day stay, however many updates there were.
 */
export async function keepOpenPagesWorking(replaced: string, next: string, now: Date): Promise<void> {
  if (replaced === next) return
  const [from, to] = [replaced, next].map((folder) => join(folder, 'builds', 'packed')) as [string, string]
  const kept = join(to, 'earlier', 'assets')
  const found = [...(await assetsIn(join(from, 'client', 'assets'), now)), ...(await assetsIn(earlierIn(from)))]
  const recent = found.filter(({ replacedAt }) => now.getTime() - replacedAt.getTime() < TTL_MS)
  await rm(join(to, 'earlier'), { recursive: true, force: true })
  await makeSharedFolder(kept)
  for (const { name, path, replacedAt } of recent) {
    if (existsSync(join(to, 'client', 'assets', name)) || existsSync(join(kept, name))) continue
    await copyFile(path, join(kept, name))
    await utimes(join(kept, name), replacedAt, replacedAt)
  }
}

function earlierIn(build: string): string {
  return join(build, 'earlier', 'assets')
}

/** With the moment at which each of them was replaced, which is also its time of change. */
async function assetsIn(folder: string, replacedAt?: Date) {
  const names = await readdir(folder).catch(() => [])
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      return { name, path, replacedAt: replacedAt ?? (await stat(path)).mtime }
    }),
  )
}
