// Installs packages beside those in use, and puts them in their place once all are there.
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../local-node.mjs'
import { Failure } from '../run.mjs'

const used = join(root, 'node_modules')
/** Ignored by git, as everything that ends like this. */
const beside = join(root, '.install.tmp')
const replaced = join(beside, 'replaced')

const NOTHING =
  'npm installed nothing: its settings dry-run and package-lock-only must be false (`npm config get dry-run` tells). ' +
  'Change them, then run the same command again.'

/** Answers where npm is to install. What a setup left that was cut off goes away. */
export function beginInstallation() {
  // It was cut off between the two steps of the exchange.
  if (!existsSync(used) && existsSync(replaced)) renameSync(replaced, used)
  rmSync(beside, { recursive: true, force: true })
  // Windows does not move a folder from which a program runs, as the site with its Node.
  if (process.platform === 'win32' || !existsSync(used)) return root
  mkdirSync(beside)
  for (const name of ['package.json', 'package-lock.json', '.npmrc']) copyFileSync(join(root, name), join(beside, name))
  if (canBeMoved(used)) return beside
  rmSync(beside, { recursive: true, force: true })
  console.error(
    'node_modules cannot be moved, as a folder that is mounted: the packages are installed into it. ' +
      'A site that runs may miss some of them: restart it as soon as this has ended.',
  )
  return root
}

/**
 * Puts what was installed in the place of what was there.
 * @throws Failure when that cannot be done; then what was there is there again.
 */
export function finishInstallation(folder) {
  const installed = join(folder, 'node_modules')
  if (folder === root) {
    if (!existsSync(installed)) throw new Failure(NOTHING)
    return
  }
  try {
    renameSync(used, replaced)
    try {
      renameSync(installed, used)
    } catch (error) {
      renameSync(replaced, used)
      throw error
    }
  } catch (error) {
    const todo = existsSync(installed)
      ? 'Stop the site, remove node_modules, then run the same command again.'
      : NOTHING
    throw new Failure(`The new packages could not take the place of those in use (${error.code}), which stay. ${todo}`)
  }
  rmSync(beside, { recursive: true, force: true })
}

/** Asked by a step that changes nothing: onto a folder that is not empty nothing can be moved, but that is told last. */
function canBeMoved(folder) {
  try {
    renameSync(folder, beside)
  } catch (error) {
    return error.code !== 'EBUSY' && error.code !== 'EXDEV'
  }
  return true
}
