// Stores each build in its own folder in `builds`; `dist` is a symlink to the current one. A running site keeps every file
// of its build, and switching builds replaces one symlink.
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, relative, sep } from 'node:path'
import { isAlive } from '../install/lock.mjs'
import { root } from '../local-node.mjs'
import { Failure } from '../run.mjs'
import { keepAssets } from './earlier-assets.mjs'

/** The real path: where `builds` is a symlink, it must match the real path of the current build. */
const builds = realPathOf(join(root, 'builds'))
/** The current build. */
export const dist = join(root, 'dist')
/** The build in progress: no process runs it before it is complete. */
export const next = join(builds, 'next')

const STAMP = '.built-from'
/** Other names in that folder are not ours, and stay. */
const OURS = /^([\da-f]{16}|next|before)$/

export function isBuiltFrom(folder, fingerprint) {
  const stamp = join(folder, STAMP)
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint
}

/** The build of exactly these sources, if there is one: from an earlier version or from a setup that was interrupted. */
export function findBuild(fingerprint) {
  const folder = folderOf(fingerprint)
  return isBuiltFrom(folder, fingerprint) ? folder : undefined
}

/**
 * Makes an empty folder for the next build; the rest of an interrupted build is deleted.
 * @throws Failure where a build could not load its packages.
 */
export function beginBuild() {
  if (!builds.startsWith(root + sep)) {
    const todo = 'Put a folder in its place, or mount one there.'
    throw new Failure(`builds is a link to ${builds}, from where Node finds no packages. ${todo}`)
  }
  rmSync(next, { recursive: true, force: true })
  mkdirSync(next, { recursive: true })
}

/** Gives the complete build its final name. */
export function keepBuild(fingerprint) {
  const folder = folderOf(fingerprint)
  rmSync(folder, { recursive: true, force: true })
  writeFileSync(join(next, STAMP), fingerprint)
  renameSync(next, folder)
  return folder
}

/** Deletes a build that does not start, so that the next setup builds it again. A site may run from it all the same. */
export function discardBuild(folder) {
  if (folder !== currentBuild() && !isInUse(folder)) rmSync(folder, { recursive: true, force: true })
}

/** Switches to a build in one step. The previous one is kept for a site that still runs from it, and to go back to. */
export function switchTo(folder) {
  const replaced = moveOldFolderAway(folder) ?? currentBuild()
  if (replaced !== undefined && replaced !== folder) {
    keepAssets(replaced, join(folder, 'earlier', 'assets'), join(folder, 'client', 'assets'))
  }
  link(folder)
  removeOthers([folder, replaced])
}

/** Not the whole fingerprint: paths on Windows must be short. */
function folderOf(fingerprint) {
  return join(builds, fingerprint.slice(0, 16))
}

function currentBuild() {
  return existsSync(dist) ? realpathSync(dist) : undefined
}

/**
 * Older versions built into `dist` itself, as a folder. A site that still runs from that folder loads assets and lazy
 * chunks from `dist`, which is the new build from now on: both are copied into it.
 */
function moveOldFolderAway(folder) {
  if (!lstatSync(dist, { throwIfNoEntry: false })?.isDirectory()) return undefined
  const away = join(builds, 'before')
  rmSync(away, { recursive: true, force: true })
  const assets = join(folder, 'client', 'assets')
  keepAssets(dist, assets, assets)
  const server = join(dist, 'server')
  // An interrupted build has none.
  if (existsSync(server)) cpSync(server, join(folder, 'server'), { recursive: true, force: false })
  renameSync(dist, away)
  return away
}

function link(folder) {
  const unfinished = `${dist}.${process.pid}.tmp`
  rmSync(unfinished, { force: true })
  // On Windows a junction: it needs no administrator rights, but an absolute path.
  const isWindows = process.platform === 'win32'
  symlinkSync(isWindows ? folder : relative(root, folder), unfinished, isWindows ? 'junction' : 'dir')
  // Windows cannot rename a link over another one.
  if (isWindows) rmSync(dist, { recursive: true, force: true })
  renameSync(unfinished, dist)
}

/** Builds from which a site still runs are kept, too. */
function removeOthers(kept) {
  for (const name of readdirSync(builds)) {
    const folder = join(builds, name)
    if (!OURS.test(name) || kept.includes(folder)) continue
    try {
      if (!isInUse(folder)) rmSync(folder, { recursive: true, force: true })
    } catch (error) {
      // The new build is already in use, so this is no failure: the old one only takes up space.
      console.error(`The old build ${folder} cannot be removed (${error.code}): remove it by hand.`)
    }
  }
}

/** A running site leaves a file with its process id in its build, where it may write (site/server/front/build.ts). */
function isInUse(folder) {
  const users = readdirSync(folder).flatMap((name) => /^\.used-by-(\d+)$/.exec(name)?.[1] ?? [])
  return users.some((user) => isAlive(Number(user)))
}

function realPathOf(path) {
  return existsSync(path) ? realpathSync(path) : path
}
