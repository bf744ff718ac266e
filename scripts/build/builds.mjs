// Stores each build in its own folder in `builds`, named by the hash of its sources; `dist` is a symlink to the current
// one. A running site keeps the files of its build while the symlink changes.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { root } from '../local-node.mjs'

const builds = join(root, 'builds')
const dist = join(root, 'dist')
/** The build in progress: no process runs it before it is complete. */
export const next = join(builds, 'next')

/** Other names in `builds` are not ours, and stay. */
const OURS = /^([\da-f]{16}|next)$/
/** How long assets outlive their build. The site stops serving them at the same age. */
const DAY_MS = 24 * 60 * 60 * 1000

/** Not the whole fingerprint: paths on Windows must be short. */
export function folderOf(fingerprint) {
  return join(builds, fingerprint.slice(0, 16))
}

export function currentBuild() {
  return existsSync(dist) ? realpathSync(dist) : undefined
}

/** Creates an empty folder for the next build, and deletes the rest of an interrupted one. */
export function beginBuild() {
  rmSync(next, { recursive: true, force: true })
  mkdirSync(next, { recursive: true })
}

/** Switches in one step. The previous build stays for a site that still runs from it; older ones are deleted. */
export function switchTo(folder) {
  const before = currentBuild()
  if (before !== undefined) keepAssets(before, folder)
  const unfinished = `${dist}.${process.pid}.tmp`
  rmSync(unfinished, { force: true })
  // On Windows a junction: it needs no administrator rights, but an absolute path.
  const isWindows = process.platform === 'win32'
  symlinkSync(isWindows ? folder : relative(root, folder), unfinished, isWindows ? 'junction' : 'dir')
  // Windows cannot rename a link over another one.
  if (isWindows) rmSync(dist, { recursive: true, force: true })
  renameSync(unfinished, dist)
  for (const name of readdirSync(builds).filter((name) => OURS.test(name))) {
    const old = join(builds, name)
    if (old !== realpathSync(folder) && old !== before) rmSync(old, { recursive: true, force: true })
  }
}

/** Open pages keep requesting the files of their build, so these stay for a day after it was replaced. */
function keepAssets(before, folder) {
  const isRecent = (path) => statSync(path).isDirectory() || Date.now() - statSync(path).mtimeMs < DAY_MS
  const [kept, options] = [join(folder, 'earlier', 'assets'), { recursive: true, force: false }]
  const earlier = join(before, 'earlier', 'assets')
  if (existsSync(earlier)) cpSync(earlier, kept, { ...options, preserveTimestamps: true, filter: isRecent })
  cpSync(join(before, 'client', 'assets'), kept, options)
}
