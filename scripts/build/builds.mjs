// Where built sites live: each in a folder of its own in `builds`, and `dist` is a link to the one in use. So a site that
// runs keeps every file of its build, and the step from one build to the next is the exchange of a link.
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

/** By its real name, as the build in use is known, where somebody has put a link. */
const builds = realPathOf(join(root, 'builds'))
/** The build in use. */
export const dist = join(root, 'dist')
/** The one that is being made: nobody uses it before it is whole. */
export const next = join(builds, 'next')

const STAMP = '.built-from'
/** What is called otherwise in that folder is not ours. */
const OURS = /^([\da-f]{16}|next|before)$/

export function isBuiltFrom(folder, fingerprint) {
  const stamp = join(folder, STAMP)
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint
}

/** The build of exactly these sources, if it is there: of an earlier version, or of a setup that was cut off. */
export function findBuild(fingerprint) {
  const folder = folderOf(fingerprint)
  return isBuiltFrom(folder, fingerprint) ? folder : undefined
}

/**
 * Makes an empty folder for the next build; what was cut off in it goes away.
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

/** Gives the build that has been made its name, for good. */
export function keepBuild(fingerprint) {
  const folder = folderOf(fingerprint)
  rmSync(folder, { recursive: true, force: true })
  writeFileSync(join(next, STAMP), fingerprint)
  renameSync(next, folder)
  return folder
}

/** One that does not start is made anew the next time, unless a site runs from it all the same. */
export function discardBuild(folder) {
  if (folder !== currentBuild() && !isInUse(folder)) rmSync(folder, { recursive: true, force: true })
}

/** Puts a build into use, in one step; the one before it is kept, for a site that still runs and to go back to. */
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
 * Until the first build of this kind `dist` was a folder. A site that still runs from it looks there, so in the new build,
 * for what its pages need and for the parts of itself that it loads late.
 */
function moveOldFolderAway(folder) {
  if (!lstatSync(dist, { throwIfNoEntry: false })?.isDirectory()) return undefined
  const away = join(builds, 'before')
  rmSync(away, { recursive: true, force: true })
  const assets = join(folder, 'client', 'assets')
  keepAssets(dist, assets, assets)
  const server = join(dist, 'server')
  // One that was cut off has none.
  if (existsSync(server)) cpSync(server, join(folder, 'server'), { recursive: true, force: false })
  renameSync(dist, away)
  return away
}

function link(folder) {
  const unfinished = `${dist}.${process.pid}.tmp`
  rmSync(unfinished, { force: true })
  // On Windows a junction, which everybody may make, and which needs a whole path.
  const isWindows = process.platform === 'win32'
  symlinkSync(isWindows ? folder : relative(root, folder), unfinished, isWindows ? 'junction' : 'dir')
  // Only there a link cannot take the place of another one.
  if (isWindows) rmSync(dist, { recursive: true, force: true })
  renameSync(unfinished, dist)
}

/** Also one from which a site still runs, that was not restarted since, is kept. */
function removeOthers(kept) {
  for (const name of readdirSync(builds)) {
    const folder = join(builds, name)
    if (!OURS.test(name) || kept.includes(folder)) continue
    try {
      if (!isInUse(folder)) rmSync(folder, { recursive: true, force: true })
    } catch (error) {
      // The new build is in use by now: that an old one takes up room is no failure.
      console.error(`The old build ${folder} cannot be removed (${error.code}): remove it by hand.`)
    }
  }
}

/** A site lays a file with its process number into its build, where it may write (site/server/front/build.ts). */
function isInUse(folder) {
  const users = readdirSync(folder).flatMap((name) => /^\.used-by-(\d+)$/.exec(name)?.[1] ?? [])
  return users.some((user) => isAlive(Number(user)))
}

function realPathOf(path) {
  return existsSync(path) ? realpathSync(path) : path
}
