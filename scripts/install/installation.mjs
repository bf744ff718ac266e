// Installs packages beside the current ones, and swaps them once all are there.
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../local-node.mjs'
import { Failure } from '../run.mjs'

const used = join(root, 'node_modules')
/** Git ignores `*.tmp`. */
const beside = join(root, '.install.tmp')
const replaced = join(beside, 'replaced')

const NOTHING =
  'npm installed nothing: its settings dry-run and package-lock-only must be false (`npm config get dry-run` tells). ' +
  'Change them, then run the same command again.'

/** Returns where npm is to install. Deletes what an interrupted setup left. */
export function beginInstallation() {
  // The previous setup was interrupted between the two renames of the swap.
  if (!existsSync(used) && existsSync(replaced)) renameSync(replaced, used)
  rmSync(beside, { recursive: true, force: true })
  // Windows does not move a folder from which a program runs, e.g. the site with the packaged Node.
  if (process.platform === 'win32' || !existsSync(used)) return root
  mkdirSync(beside)
  for (const name of ['package.json', 'package-lock.json', '.npmrc']) copyFileSync(join(root, name), join(beside, name))
  if (canBeMoved(used)) return beside
  rmSync(beside, { recursive: true, force: true })
  console.error(
    'node_modules cannot be moved, probably because it is a mounted folder: the packages are installed into it. ' +
      'A running site may miss some of them meanwhile: restart it as soon as this is done.',
  )
  return root
}

/**
 * Replaces the current packages by the installed ones.
 * @throws Failure where that fails; the current packages are then back in place.
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
    throw new Failure(`The new packages could not replace the current ones (${error.code}), which stay. ${todo}`)
  }
  rmSync(beside, { recursive: true, force: true })
}

/** Tries a rename that must fail, onto a folder that is not empty. The system reports a mount (EBUSY, EXDEV) before that. */
function canBeMoved(folder) {
  try {
    renameSync(folder, beside)
  } catch (error) {
    return error.code !== 'EBUSY' && error.code !== 'EXDEV'
  }
  return true
}
