// Installs and builds what is missing or stale; otherwise silent and instant. npm runs it before `start` and `test`, and
// with `--packages`, which builds nothing, before `dev`.
//
// Plain JavaScript without dependencies: it runs before anything is installed, on Node 20 and newer. What is in use stays
// until its successor is complete, and has been tried.
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { hasPackagedNode, root } from './local-node.mjs'
import { Failure, finish, run } from './run.mjs'
import { startBuiltServer } from './testing/built-server.mjs'

const packages = join(root, 'node_modules')
/** This file holds the platform and the hash of the lockfile that the packages were installed for. */
const STAMP = '.rsvp-installed'
/** A link to the build in use. Each has a folder in `builds`, named by the hash of its sources; `next` is being built. */
const dist = join(root, 'dist')
const builds = join(root, 'builds')
const next = join(builds, 'next')
const sources =
  'site cli db scripts/bundle.mjs scripts/oldest-browsers.mjs astro.config.mjs package-lock.json tsconfig.json'
const notBuilt = /\.test\.tsx?$|^site\/(e2e|scenarios)\//
/** How many earlier builds stay: a site may still run from one, and open pages may still load its scripts. */
const OLD_BUILDS = 2
const needsBuild = !process.argv.includes('--packages')
const NEEDED_NODE = hasPackagedNode ? 20 : 22

finish(async () => {
  if (Number.parseInt(process.versions.node, 10) < NEEDED_NODE)
    throw new Failure(`This needs Node ${NEEDED_NODE} or newer: install Node 24 from nodejs.org.`)
  // Without work nothing is written, not even the lock, so that a read-only checkout starts.
  if (arePackagesInstalled() && (isSiteBuilt() || !needsBuild)) return
  await lock()
  if (!arePackagesInstalled()) await installPackages()
  if (needsBuild && !isSiteBuilt()) await buildSite()
})

/** Waits until no other setup runs. The lock is a symbolic link to the id of its process, which may have been killed. */
async function lock() {
  // Git ignores `*.tmp`.
  const path = join(root, '.setup-lock.tmp')
  for (let isFirst = true; !tryToLock(path); isFirst = false) {
    if (isStale(path)) fs.rmSync(path, { force: true })
    else if (isFirst) console.error(`Waiting for another run that builds here. If there is none, remove ${path}.`)
    await wait(200)
  }
  process.once('exit', () => fs.rmSync(path, { force: true }))
}

/** Returns false if another process holds the lock. */
function tryToLock(path) {
  try {
    fs.symlinkSync(String(process.pid), path)
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    return false
  }
}

function isStale(path) {
  try {
    return !process.kill(Number(fs.readlinkSync(path)), 0)
  } catch (error) {
    // No such process. Other errors mean that it belongs to another account, or has just removed the lock.
    return error.code === 'ESRCH'
  }
}

function arePackagesInstalled() {
  const file = join(packages, STAMP)
  return fs.existsSync(file) && fs.readFileSync(file, 'utf8') === wantedPackages()
}

function wantedPackages() {
  return `${process.platform} ${process.arch} ${hashOf(['package-lock.json'])}`
}

async function installPackages() {
  // Read first: a lockfile that changes meanwhile makes the result stale.
  const wanted = wantedPackages()
  console.error('Installing packages (about a minute)…')
  const beside = join(root, '.install.tmp')
  const installed = join(beside, 'node_modules')
  fs.rmSync(beside, { recursive: true, force: true })
  fs.mkdirSync(beside)
  for (const name of ['package.json', 'package-lock.json', '.npmrc'])
    fs.copyFileSync(join(root, name), join(beside, name))
  // Under `npm --silent` npm would not print its error.
  const words = ['--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
  await runOrFail('Installing failed', 'npm', 'ci', '--prefix', beside, ...words)
  if (hasPackagedNode)
    await runOrFail('This needs a Linux with glibc: Node does not run', join(installed, '.bin', 'node'), '--version')
  // For `npx rsvp`: npm makes such links for dependencies, but not for the project itself.
  fs.symlinkSync('../../cli/rsvp', join(installed, '.bin', 'rsvp'))
  fs.writeFileSync(join(installed, STAMP), wanted)
  if (fs.existsSync(packages)) fs.renameSync(packages, join(beside, 'replaced'))
  fs.renameSync(installed, packages)
  fs.rmSync(beside, { recursive: true })
}

function isSiteBuilt() {
  return fs.existsSync(dist) && fs.realpathSync(dist) === folderOfBuild()
}

/** A part of the hash is enough, and keeps messages short. */
function folderOfBuild() {
  return join(builds, hashOf(sources.split(' ')).slice(0, 16))
}

async function buildSite() {
  const folder = folderOfBuild()
  // The sources may be those of an earlier build again.
  if (!fs.existsSync(folder)) {
    console.error('Building the site (about a minute)…')
    fs.rmSync(next, { recursive: true, force: true })
    await runOrFail('The build failed', 'astro', 'build')
    await runOrFail('The build failed', 'node', 'scripts/bundle.mjs')
    await tryBuild()
    fs.renameSync(next, folder)
  }
  switchTo(folder)
}

/** Starts it with an empty database, and without `.env`, which the account that builds may not be allowed to read. */
async function tryBuild() {
  const site = await startBuiltServer({}, [], next).catch(({ message }) => {
    throw failed('The new build does not start', message)
  })
  const reply = await fetch(`${site.url}/share`).catch(() => undefined)
  await site.stop()
  if (reply?.status !== 200) throw failed('The new build does not work', site.output())
  await runOrFail('The new build does not work', 'node', join(next, 'cli', 'rsvp.js'), '--help')
}

async function runOrFail(what, program, ...words) {
  const { code, output } = await run(program, words)
  if (code !== 0) throw failed(what, output)
}

function failed(what, output) {
  const end = output.trimEnd().split('\n').slice(-40).join('\n')
  const meanwhile = fs.existsSync(dist)
    ? '\nUntil then the previous build stays in use: `npx rsvp serve` starts it.'
    : ''
  return new Failure(`${end}\n${what}, see above. Fix what it names, then run the same command again.${meanwhile}`)
}

/** Puts a build into use in one step, and removes the oldest ones. */
function switchTo(folder) {
  const link = `${dist}.tmp`
  fs.rmSync(link, { force: true })
  fs.symlinkSync(relative(root, folder), link)
  fs.renameSync(link, dist)
  const ageOf = (path) => -fs.statSync(path).mtimeMs
  const all = fs.readdirSync(builds).map((name) => join(builds, name))
  const old = all.filter((path) => path !== folder).sort((one, other) => ageOf(one) - ageOf(other))
  for (const path of old.slice(OLD_BUILDS)) fs.rmSync(path, { recursive: true })
}

/** Covers the names and contents of all files in these places, without tests. */
function hashOf(places) {
  const hash = createHash('sha256')
  const paths = places.flatMap((place) => [place, ...namesIn(place).map((name) => join(place, name))])
  for (const path of paths.filter((path) => !notBuilt.test(path) && isFile(path)))
    hash.update(`${path}\0`).update(fs.readFileSync(join(root, path)))
  return hash.digest('hex')
}

function namesIn(place) {
  return isFile(place) ? [] : fs.readdirSync(join(root, place), { recursive: true }).sort()
}

function isFile(path) {
  return fs.statSync(join(root, path)).isFile()
}
