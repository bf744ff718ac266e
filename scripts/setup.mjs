// Installs and builds what is missing or stale; otherwise silent and instant. npm runs it before `start` and `test`.
//
// Plain JavaScript without dependencies: it runs before anything is installed, on Node 20 and newer. What is in use stays
// until its successor is complete, and has been tried.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { hasPackagedNode, root } from './local-node.mjs'
import { Failure, finish, run } from './run.mjs'
import { startBuiltServer } from './testing/built-server.mjs'

const packages = join(root, 'node_modules')
/** The lockfile and the platform for which the packages were installed. */
const stamp = join(packages, '.rsvp-installed')
/** A link to the build in use. Each has a folder in `builds`, named by the hash of its sources, and `next` is unfinished. */
const dist = join(root, 'dist')
const builds = join(root, 'builds')
const next = join(builds, 'next')
const sources =
  'site cli db scripts/bundle.mjs scripts/oldest-browsers.mjs astro.config.mjs package-lock.json tsconfig.json'
const notBuilt = /\.test\.tsx?$|^site\/(e2e|scenarios)\//
/** How many stay beside the one in use: for a site that still runs, and the scripts of pages that are still open. */
const OLD_BUILDS = 2

finish(async () => {
  const needed = hasPackagedNode ? 20 : 22
  if (Number.parseInt(process.versions.node, 10) < needed) {
    throw new Failure(
      `This needs Node ${needed} or newer and found ${process.version}: install Node 24 from nodejs.org.`,
    )
  }
  // Without work nothing is written, not even the lock, so that a read-only checkout starts.
  if (arePackagesInstalled() && isSiteBuilt()) return
  // Git ignores `*.tmp`.
  const lock = join(root, '.setup-lock.tmp')
  await take(lock)
  try {
    if (!arePackagesInstalled()) await installPackages()
    if (!isSiteBuilt()) await buildSite()
  } finally {
    fs.rmSync(lock)
  }
})

/** One setup at a time. The lock is a link to nothing, named like its process, which may have been killed. */
async function take(lock) {
  for (let told = false; ; told = true) {
    try {
      return fs.symlinkSync(String(process.pid), lock)
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (isStale(lock)) fs.rmSync(lock, { force: true })
    else if (!told) console.error(`Waiting for another run that builds here. If there is none, remove ${lock}.`)
    await wait(200)
  }
}

function isStale(lock) {
  try {
    return !process.kill(Number(fs.readlinkSync(lock)), 0)
  } catch (error) {
    // There is no such process. Other errors: it is another account's, or has just removed the lock.
    return error.code === 'ESRCH'
  }
}

function arePackagesInstalled() {
  return fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === wantedPackages()
}

function wantedPackages() {
  return `${process.platform} ${process.arch} ${hashOf(['package-lock.json'])}`
}

async function installPackages() {
  // Read first: a lockfile that changes meanwhile makes the result stale.
  const wanted = wantedPackages()
  console.error('Installing packages (about a minute)…')
  const beside = join(root, '.install.tmp')
  fs.rmSync(beside, { recursive: true, force: true })
  fs.mkdirSync(beside)
  for (const name of ['package.json', 'package-lock.json', '.npmrc'])
    fs.copyFileSync(join(root, name), join(beside, name))
  // Under `npm --silent` npm would not print its error.
  const words = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', words, { cwd: beside, stdio: ['ignore', 2, 2] })
  if (status !== 0) throw failed('Installing failed', 'Check npm, the network and the free disk space.')
  const installed = join(beside, 'node_modules')
  const { code, output } = await run(hasPackagedNode ? join(installed, '.bin', 'node') : 'node', ['--version'])
  if (code !== 0)
    throw new Failure(`The packaged Node does not run here (${output.trim()}): this needs a Linux with glibc.`)
  // For `npx rsvp`: npm makes such links for dependencies, but not for the project itself.
  fs.symlinkSync('../../cli/rsvp', join(installed, '.bin', 'rsvp'))
  fs.writeFileSync(join(installed, '.rsvp-installed'), wanted)
  if (fs.existsSync(packages)) fs.renameSync(packages, join(beside, 'replaced'))
  fs.renameSync(installed, packages)
  fs.rmSync(beside, { recursive: true })
}

function isSiteBuilt() {
  return fs.existsSync(dist) && fs.realpathSync(dist) === folderOfBuild()
}

/** Not the whole hash: it is read in messages. */
function folderOfBuild() {
  return join(builds, hashOf(sources.split(' ')).slice(0, 16))
}

async function buildSite() {
  const folder = folderOfBuild()
  // It exists already if the sources are again those of an earlier build.
  if (!fs.existsSync(folder)) {
    console.error('Building the site (about a minute)…')
    fs.rmSync(next, { recursive: true, force: true })
    await must('The build failed', 'astro', 'build')
    await must('The build failed', 'node', 'scripts/bundle.mjs')
    await tryBuild()
    fs.renameSync(next, folder)
  }
  switchTo(folder)
}

async function must(what, program, ...words) {
  const { code, output } = await run(program, words)
  if (code !== 0) throw failed(what, output)
}

/** With an empty database, and without `.env`, which may be unreadable for the account that builds. */
async function tryBuild() {
  const site = await startBuiltServer({ RSVP_ENV_FILE: 'none' }, [], next).catch(({ message }) => {
    throw failed('The new build does not start', message)
  })
  const { status } = await fetch(`${site.url}/share`)
  await site.stop()
  if (status !== 200) throw failed('The new build does not work', site.output())
  await must('The new build does not work', 'node', join(next, 'cli', 'rsvp.js'), '--help')
}

function failed(what, output) {
  const end = output.trimEnd().split('\n').slice(-40).join('\n')
  const meanwhile = fs.existsSync(dist) ? '\nUntil then the previous build stays in use.' : ''
  return new Failure(`${end}\n${what}, see above. Fix what it names, then run the same command again.${meanwhile}`)
}

/** In one step. */
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

/** Of all files in these places, without tests. */
function hashOf(places) {
  const hash = createHash('sha256')
  for (const path of places.flatMap(filesIn).filter((path) => !notBuilt.test(path)))
    hash
      .update(`${path}\0`)
      .update(fs.readFileSync(join(root, path)))
      .update('\0')
  return hash.digest('hex')
}

function filesIn(place) {
  const at = join(root, place)
  if (fs.statSync(at).isFile()) return [place]
  const names = fs.readdirSync(at, { recursive: true }).sort()
  return names.map((name) => join(place, name)).filter((path) => fs.statSync(join(root, path)).isFile())
}
