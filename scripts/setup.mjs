// Installs and builds what is missing or stale; otherwise silent and instant. `npm start` and `npm test` call it first.
//
// Plain JavaScript without dependencies: it runs before anything is installed, on Node 20 and newer.
// `--install-only` skips the build.
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { buildSite, isSiteBuilt } from './build/build-site.mjs'
import { hasPackagedNode, localNode, root, systemEnvironment } from './local-node.mjs'
import { Failure, finish, run, withProgress } from './run.mjs'

const packages = join(root, 'node_modules')
/** Holds the fingerprint of the lockfile from which they were installed. */
const stamp = join(packages, '.rsvp-installed')
// Git ignores `*.tmp`.
const lock = join(root, '.setup-lock.tmp')
const beside = join(root, '.install.tmp')
const replaced = join(beside, 'replaced')

const steps = [
  { isDue: () => !arePackagesInstalled(), work: installPackages },
  { isDue: () => !isSiteBuilt(), work: buildSite },
]

finish(async () => {
  refuseOldNode()
  const asked = process.argv.includes('--install-only') ? steps.slice(0, 1) : steps
  // Without work nothing is written, not even the lock, so that a read-only checkout starts.
  if (!asked.some((step) => step.isDue())) return
  await takeLock()
  try {
    for (const step of asked) if (step.isDue()) await step.work()
  } finally {
    rmSync(lock, { force: true })
  }
})

function refuseOldNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 20) {
    throw new Failure(`This needs Node 20 or newer and found ${process.version}: install Node 24 from nodejs.org.`)
  }
  if (!hasPackagedNode && (major < 22 || (major === 22 && minor < 12))) {
    throw new Failure(
      `On ${process.platform} (${process.arch}) this needs Node 22.12 or newer and found ${process.version}: ` +
        'install Node 24 from nodejs.org. Only Linux and Windows get theirs from npm.',
    )
  }
}

/** One setup at a time: others wait until its process is gone. Written by hand: no packages are installed yet. */
async function takeLock() {
  for (let told = false; ; told = true) {
    try {
      return writeFileSync(lock, String(process.pid), { flag: 'wx' })
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (!told) console.error(`Waiting for another run that installs or builds here. If there is none, remove ${lock}.`)
    await wait(200)
    discardStaleLock()
  }
}

function discardStaleLock() {
  try {
    const owner = Number(readFileSync(lock, 'utf8'))
    // A lock without an id is being written right now.
    if (owner === 0 || isAlive(owner)) return
    // Renames before deleting: of two processes that find the stale file, only one can remove it.
    renameSync(lock, `${lock}.${process.pid}`)
    rmSync(`${lock}.${process.pid}`)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function arePackagesInstalled() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprintOfPackages()
}

function fingerprintOfPackages() {
  const content = readFileSync(join(root, 'package-lock.json'))
  return `${process.platform} ${process.arch} ${createHash('sha256').update(content).digest('hex')}`
}

/** Installs beside the current packages, if any, which stay until all new ones are complete. */
async function installPackages() {
  // Computed first: a lockfile that changes meanwhile makes the result stale.
  const fingerprint = fingerprintOfPackages()
  console.error('Installing packages (about a minute)…')
  // The previous setup was interrupted between the two renames.
  if (!existsSync(packages) && existsSync(replaced)) renameSync(replaced, packages)
  rmSync(beside, { recursive: true, force: true })
  // Windows does not move a folder from which a program runs, e.g. the site with the packaged Node.
  const isBeside = existsSync(packages) && process.platform !== 'win32'
  if (isBeside) {
    mkdirSync(beside)
    for (const name of ['package.json', 'package-lock.json', '.npmrc'])
      copyFileSync(join(root, name), join(beside, name))
  }
  await runNpm(isBeside ? beside : root)
  if (isBeside) replacePackages()
  const version = await run(localNode(), ['--version'])
  if (version.code !== 0) {
    throw new Failure(`The packaged Node does not run here (${version.output.trim()}): this needs a Linux with glibc.`)
  }
  linkCommand()
  removeUnused()
  writeFileSync(stamp, fingerprint)
}

async function runNpm(folder) {
  // The machine's own npm and Node: the project's Node is in the folder that is about to be replaced.
  // The log level is for `npm --silent`, under which npm would not print its error.
  const environment = { ...systemEnvironment(), npm_config_loglevel: 'error' }
  const words = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund']
  const { code, output } = await withProgress('still installing', () => run('npm', words, environment, folder))
  if (code === 127) throw new Failure('npm was not found: install Node with its npm, then run the same command again.')
  if (code !== 0 || !existsSync(join(folder, 'node_modules'))) {
    // npm prints the error first, then its usage.
    const reason = output.trim().split('\n').slice(0, 12).join('\n')
    const todo = 'Check the network and the free disk space, then run the same command again.'
    throw new Failure(`${reason}\nInstalling failed, see above. ${todo}`)
  }
}

function replacePackages() {
  try {
    renameSync(packages, replaced)
    renameSync(join(beside, 'node_modules'), packages)
  } catch (error) {
    if (!existsSync(packages)) renameSync(replaced, packages)
    const todo = 'Stop the site, remove node_modules or what is in it, then run the same command again.'
    throw new Failure(`The new packages could not replace the current ones (${error.code}), which stay. ${todo}`)
  }
  rmSync(beside, { recursive: true, force: true })
}

/** For `npx rsvp`: npm makes such links for dependencies, but not for the project itself. */
function linkCommand() {
  const bin = join(packages, '.bin')
  rmSync(join(bin, 'rsvp'), { force: true })
  if (process.platform === 'win32') {
    writeFileSync(join(bin, 'rsvp.cmd'), '@node "%~dp0..\\..\\cli\\launcher.cjs" %*\r\n')
  } else symlinkSync(join('..', '..', 'cli', 'rsvp'), join(bin, 'rsvp'))
}

/** Removes 110 MB that are never read here: headers for compiling with Node, and source maps. */
function removeUnused() {
  for (const folder of readdirSync(packages).filter((name) => /^node-(linux|win)-/.test(name)))
    rmSync(join(packages, folder, 'include'), { recursive: true, force: true })
  for (const file of readdirSync(packages, { recursive: true }).map(String))
    if (/\.[cm]?[jt]s\.map$/.test(file)) rmSync(join(packages, file))
}
