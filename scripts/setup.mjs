// Installs and builds what is missing or stale; silent and instant when nothing is. `npm start` and `npm test` call it first.
//
// Without dependencies and in plain JavaScript: it runs before anything is installed, on any Node from 20 on.
// `--install-only` leaves the build alone.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { beginBuild, discardBuild, dist, findBuild, isBuiltFrom, keepBuild, switchTo } from './builds.mjs'
import { beginInstallation, finishInstallation } from './installation.mjs'
import {
  hasPackagedNode,
  isPackagedNodeInstalled,
  localEnvironment,
  localNode,
  root,
  systemEnvironment,
  toolScript,
} from './local-node.mjs'
import { withLock } from './lock.mjs'
import { buildingWith, freeMemory, installingWith } from './memory.mjs'
import { proveBuild } from './prove-build.mjs'
import { Failure, finish, run } from './run.mjs'

const buildInputs = [
  'site',
  'cli',
  'db',
  'astro.config.mjs',
  'scripts/precompress.mjs',
  'scripts/build-cli.mjs',
  'scripts/builds.mjs',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]
const notBuilt = /\.test\.tsx?$|^site\/e2e\//
const lockfile = join(root, 'package-lock.json')

const installed = join(root, 'node_modules', '.rsvp-installed')

const steps = [
  { isDue: () => !isInstalledFrom(installFingerprint()), work: install },
  { isDue: () => !isBuiltFrom(dist, buildFingerprint()), work: build },
]

finish(async () => {
  refuseOldNode()
  const asked = process.argv.includes('--install-only') ? steps.slice(0, 1) : steps
  // Nothing is written, not even the lock, when there is nothing to do: a read-only checkout starts as well.
  if (!asked.some((step) => step.isDue())) return
  await withLock(join(root, '.setup-lock.tmp'), async () => {
    for (const step of asked) if (step.isDue()) await step.work()
  })
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

function installFingerprint() {
  const content = existsSync(lockfile) ? readFileSync(lockfile) : ''
  return `${process.platform} ${process.arch} ${createHash('sha256').update(content).digest('hex')}`
}

function isInstalledFrom(fingerprint) {
  return existsSync(installed) && readFileSync(installed, 'utf8') === fingerprint
}

async function install() {
  // Taken before the work: what changes meanwhile makes the result stale.
  const fingerprint = installFingerprint()
  rmSync(installed, { force: true })
  if (!isInstalledAsLocked()) await installPackages()
  linkCommand()
  writeFileSync(installed, fingerprint)
}

/** Beside the packages in use, which stay as they are until the new ones are all there, as far as that can be done. */
async function installPackages() {
  const warning = installingWith(freeMemory())
  if (warning !== undefined) console.error(warning)
  console.error('Installing packages (about a minute)…')
  const folder = beginInstallation()
  // The machine's own npm and Node: the project's Node lies in the folder that is about to be replaced.
  // Under `npm --silent` it would not even say what went wrong.
  const environment = { ...systemEnvironment(), npm_config_loglevel: 'error' }
  const words = ['ci', '--include=dev', '--include=optional']
  const { code, output } = await run('npm', words, environment, folder)
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

/** True after `npm install <package>`: then the lockfile is new, and so are the packages. */
function isInstalledAsLocked() {
  const hidden = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(hidden)) return false
  const present = JSON.parse(readFileSync(hidden, 'utf8')).packages
  const locked = JSON.parse(readFileSync(lockfile, 'utf8')).packages
  const missing = Object.keys(locked).filter((path) => path && !locked[path].optional && !present[path])
  const foreign = Object.keys(present).filter((path) => present[path].version !== locked[path]?.version)
  return isPackagedNodeInstalled() === hasPackagedNode && missing.length === 0 && foreign.length === 0
}

function buildFingerprint() {
  const hash = createHash('sha256')
  for (const path of buildInputs.flatMap((input) => filesOf(input))) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0')
  }
  return hash.digest('hex')
}

function filesOf(path) {
  const absolute = join(root, path)
  if (!existsSync(absolute) || notBuilt.test(`${path}/`) || notBuilt.test(path)) return []
  if (!statSync(absolute).isDirectory()) return [path]
  const names = readdirSync(absolute).sort()
  return names.flatMap((name) => filesOf(`${path}/${name}`))
}

/** Beside the build in use, which stays what it is until the next one has been seen to start. */
async function build() {
  const fingerprint = buildFingerprint()
  const isFirst = !existsSync(dist)
  try {
    let folder = findBuild(fingerprint)
    if (folder === undefined) {
      console.error('Building the site…')
      beginBuild()
      const { words, variables, warning } = buildingWith(freeMemory())
      if (warning !== undefined) console.error(warning)
      await runBuild([...words, toolScript('astro'), 'build'], variables)
      await runBuild(['scripts/build-cli.mjs'])
      folder = keepBuild(fingerprint)
    }
    await proveBuild(folder).catch((error) => {
      discardBuild(folder)
      throw error
    })
    switchTo(folder)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const todo = 'Mend what it names, then run the same command again.'
    const meanwhile = 'Until then the build before it stays in use: `npx rsvp serve` starts it.'
    throw new Failure([error.message, todo, ...(isFirst ? [] : [meanwhile])].join('\n'))
  }
}

async function runBuild(words, variables = {}) {
  const { code, output } = await run(localNode(), words, localEnvironment({ NODE_ENV: 'production', ...variables }))
  if (code !== 0) throw new Failure(`${lastLines(output)}\nThe build failed, see above.`)
}

/** So that `npx rsvp` finds it at once: npm makes such links for dependencies, but not for the project itself. */
function linkCommand() {
  const bin = join(root, 'node_modules', '.bin')
  const script = join(root, 'cli', 'rsvp')
  rmSync(join(bin, 'rsvp'), { force: true })
  if (process.platform === 'win32') {
    writeFileSync(join(bin, 'rsvp.cmd'), '@node "%~dp0..\\..\\cli\\launcher.cjs" %*\r\n')
  } else symlinkSync(relative(bin, script), join(bin, 'rsvp'))
}

/** npm says first what is wrong, then how it is used. */
function reason(npmOutput) {
  return npmOutput.trim().split('\n').slice(0, 12).join('\n')
}

function lastLines(text) {
  return text.trimEnd().split('\n').slice(-40).join('\n')
}
