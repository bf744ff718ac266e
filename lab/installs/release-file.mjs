// Finds what `npm run release` has made.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/local-node.mjs'
import { Failure } from '../../scripts/run.mjs'

const release = join(root, 'release')

/** The file of the release whose name ends like this. @throws Failure where there is none. */
export function releaseFile(ending) {
  const name = existsSync(release) && readdirSync(release).find((file) => file.endsWith(ending))
  if (!name) throw new Failure('There is no release to install: make one with `npm run release`.')
  return join(release, name)
}
