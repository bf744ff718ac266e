// Keeps the assets of previous builds for pages that are still open.
import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync, utimesSync } from 'node:fs'
import { basename, join } from 'node:path'

/** How long assets outlive their build. The site stops serving them at the same age. */
const DAY_MS = 24 * 60 * 60 * 1000

/** Open pages keep requesting the files of their build, so these stay for a day after it was replaced. */
export function keepAssets(replaced, kept, own) {
  mkdirSync(kept, { recursive: true })
  const now = new Date()
  for (const { path, at } of [...assetsOf(join(replaced, 'client'), now), ...assetsOf(join(replaced, 'earlier'))]) {
    const name = basename(path)
    if (now - at > DAY_MS || existsSync(join(own, name))) continue
    copyFileSync(path, join(kept, name))
    utimesSync(join(kept, name), at, at)
  }
}

/** With the time when each of them was replaced. */
function assetsOf(folder, replacedAt) {
  const assets = join(folder, 'assets')
  if (!existsSync(assets)) return []
  return readdirSync(assets).map((name) => {
    const path = join(assets, name)
    return { path, at: replacedAt ?? statSync(path).mtime }
  })
}
