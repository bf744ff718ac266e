// Installs the packages of package-lock.json where they are missing, and links the command for `npx rsvp`.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { hasPackagedNode, isPackagedNodeInstalled, localNode, root, systemEnvironment } from '../local-node.mjs'
import { Failure, run, withProgress } from '../run.mjs'
import { beginInstallation, finishInstallation } from './installation.mjs'
import { freeMemory, installingWith } from './memory.mjs'

const lockfile = join(root, 'package-lock.json')
/** Holds the fingerprint of the lockfile from which they were installed. */
const stamp = join(root, 'node_modules', '.rsvp-installed')

export function arePackagesInstalled() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprintOfPackages()
}

export async function installPackages() {
  // Taken first: a lockfile that changes meanwhile makes the result stale.
  const fingerprint = fingerprintOfPackages()
  rmSync(stamp, { force: true })
  if (!isInstalledAsLocked()) await installAsLocked()
  linkCommand()
  writeFileSync(stamp, fingerprint)
}

/** Beside the current packages where possible: these stay until all new ones are there. */
async function installAsLocked() {
  const warning = installingWith(freeMemory())
  if (warning !== undefined) console.error(warning)
  console.error('Installing packages (about a minute, and 850 MB of disk)…')
  const folder = beginInstallation()
  // The machine's own npm and Node: the project's Node is in the folder that is about to be replaced.
  // The log level is for `npm --silent`, under which npm would not print its error.
  const environment = { ...systemEnvironment(), npm_config_loglevel: 'error' }
  const words = ['ci', '--include=dev', '--include=optional']
  const packages = lockedFolders()
  // npm makes all folders first, and then fills them.
  const filled = () => packages.filter((path) => existsSync(join(folder, path, 'package.json')))
  const { code, output } = await withProgress(
    () => `${filled().length} of about ${packages.length} packages`,
    () => run('npm', words, environment, folder),
  )
  if (code === 127) throw new Failure('npm was not found: install Node with its npm, then run the same command again.')
  if (code !== 0) {
    throw new Failure(
      `${reason(output)}\nInstalling failed, see above. Check the network and the free disk space, then run the same command again.`,
    )
  }
  finishInstallation(folder)
  const version = await run(localNode(), ['--version'])
  if (version.code !== 0) {
    throw new Failure(`The packaged Node does not run here (${version.output.trim()}): this needs a Linux with glibc.`)
  }
}

/** The folders of the packages that npm installs on this platform. */
function lockedFolders() {
  const locked = Object.entries(JSON.parse(readFileSync(lockfile, 'utf8')).packages)
  const fits = ({ os = [process.platform], cpu = [process.arch] }) =>
    os.includes(process.platform) && cpu.includes(process.arch)
  return locked.flatMap(([path, wanted]) => (path !== '' && fits(wanted) ? [path] : []))
}

/** True after `npm install <package>`, which has changed the lockfile and the packages. */
function isInstalledAsLocked() {
  const hidden = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(hidden)) return false
  const present = JSON.parse(readFileSync(hidden, 'utf8')).packages
  const locked = JSON.parse(readFileSync(lockfile, 'utf8')).packages
  const missing = Object.keys(locked).filter((path) => path && !locked[path].optional && !present[path])
  const foreign = Object.keys(present).filter((path) => present[path].version !== locked[path]?.version)
  return isPackagedNodeInstalled() === hasPackagedNode && missing.length === 0 && foreign.length === 0
}

function fingerprintOfPackages() {
  const content = existsSync(lockfile) ? readFileSync(lockfile) : ''
  return `${process.platform} ${process.arch} ${createHash('sha256').update(content).digest('hex')}`
}

/** For `npx rsvp`: npm makes such links for dependencies, but not for the project itself. */
function linkCommand() {
  const bin = join(root, 'node_modules', '.bin')
  const script = join(root, 'cli', 'rsvp')
  rmSync(join(bin, 'rsvp'), { force: true })
  if (process.platform === 'win32') {
    writeFileSync(join(bin, 'rsvp.cmd'), '@node "%~dp0..\\..\\cli\\launcher.cjs" %*\r\n')
  } else symlinkSync(relative(bin, script), join(bin, 'rsvp'))
}

/** npm prints the error first, then its usage. */
function reason(npmOutput) {
  return npmOutput.trim().split('\n').slice(0, 12).join('\n')
}
