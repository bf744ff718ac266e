// What pages that are open need of builds that were replaced.
import { copyFileSync, existsSync, mkdirSync, readdirSync, statSync, utimesSync } from 'node:fs'
import { basename, join } from 'node:path'

/** As long as this a page may stay open whose build was replaced, in ms. The site looks at the same age. */
const DAY = 24 * 60 * 60 * 1000

/** Pages that are open go on asking for the files of their build: they stay for a day after it was replaced. */
export function keepAssets(replaced, kept, own) {
  mkdirSync(kept, { recursive: true })
  const now = new Date()
  for (const { path, at } of [...assetsOf(join(replaced, 'client'), now), ...assetsOf(join(replaced, 'earlier'))]) {
    const name = basename(path)
    if (now - at > DAY || existsSync(join(own, name))) continue
    copyFileSync(path, join(kept, name))
    utimesSync(join(kept, name), at, at)
  }
}

/** With the moment when each of them was replaced. */
function assetsOf(folder, replacedAt) {
  const assets = join(folder, 'assets')
  if (!existsSync(assets)) return []
  return readdirSync(assets).map((name) => {
    const path = join(assets, name)
    return { path, at: replacedAt ?? statSync(path).mtime }
  })
}
