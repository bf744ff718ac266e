// Builds the site and the command beside the current build, tries the new build, and switches to it.
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { localEnvironment, localNode, root, toolScript } from '../local-node.mjs'
import { Failure, run, withProgress } from '../run.mjs'
import { beginBuild, currentBuild, folderOf, next, switchTo } from './builds.mjs'
import { request, trySite } from './try-site.mjs'

const inputs = ['site', 'cli', 'db', 'scripts/build']
const files = ['astro.config.mjs', 'package.json', 'package-lock.json', 'tsconfig.json']
const notBuilt = /\.test\.tsx?$|^site\/(e2e|scenarios)\//
/** The memory of a build without limits (docs/reliability.md). With less it gets a small heap and one thread. */
const UNLIMITED_BUILD_BYTES = 800 * 2 ** 20

export function isSiteBuilt() {
  return currentBuild() === folderOf(fingerprintOfSources())
}

/** The current build stays untouched until the new one has started once. */
export async function buildSite() {
  const folder = folderOf(fingerprintOfSources())
  try {
    // It exists already if the sources are those of the previous build, or a setup was interrupted.
    if (!existsSync(folder)) {
      console.error('Building the site…')
      beginBuild()
      await withProgress('still building', build)
      renameSync(next, folder)
    }
    await prove(folder)
    switchTo(folder)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    if (folder !== currentBuild()) rmSync(folder, { recursive: true, force: true })
    const meanwhile = currentBuild() && 'Until then the previous build stays in use: `npx rsvp serve` starts it.'
    const todo = 'Fix what it names, then run the same command again.'
    throw new Failure([error.message, todo, meanwhile].filter(Boolean).join('\n'))
  }
}

async function build() {
  const isSmall = process.availableMemory?.() < UNLIMITED_BUILD_BYTES
  // The bundler is written in Rust, and each of its threads has its own memory.
  const variables = isSmall ? { RAYON_NUM_THREADS: '1', TOKIO_WORKER_THREADS: '1' } : {}
  const words = isSmall ? ['--max-old-space-size=192', '--max-semi-space-size=1'] : []
  const environment = localEnvironment({ NODE_ENV: 'production', ...variables })
  for (const program of [[...words, toolScript('astro'), 'build'], ['scripts/build/build-cli.mjs']]) {
    const { code, output } = await run(localNode(), program, environment)
    if (code !== 0) throw failed(output, 'The build failed')
  }
}

/**
 * Starts a build once before it is used: with a temporary database, on a port that only this script knows.
 * @throws Failure if its site or its command does not start.
 */
async function prove(folder) {
  const place = mkdtempSync(join(tmpdir(), 'rsvp-build-'))
  // Without the settings in .env, which the account that builds may not be allowed to read.
  const settings = { RSVP_ENV_FILE: 'none', DATABASE_URL: `file:${join(place, 'rsvp.db')}` }
  const environment = localEnvironment({ ...withoutSettings(), ...settings, HOST: '127.0.0.1', PORT: '0' })
  try {
    const site = [localNode(), join(folder, 'server', 'entry.mjs')]
    const options = { cwd: root, env: { ...environment, NODE_ENV: 'production' } }
    await trySite(site, options, (url) => request(`${url}/api/health`)).catch((error) => {
      throw failed(error.output || error.message, 'The site of the new build does not start')
    })
    // Fills the compile cache of the command (cli/launcher.cjs).
    const env = { ...environment, NODE_COMPILE_CACHE: join(folder, 'cli', 'cache') }
    const { code, output } = await run(localNode(), [join(folder, 'cli', 'rsvp.js'), 'list'], env)
    if (code !== 0) throw failed(output, 'The command of the new build does not start')
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

/** Every setting, empty: otherwise a start would use those of this account, and report their errors. @internal */
export function withoutSettings() {
  const names = readFileSync(join(root, '.env.example'), 'utf8').matchAll(/^# ([A-Z_]+)=/gm)
  return Object.fromEntries(Array.from(names, ([, name]) => [name, '']))
}

function failed(output, what) {
  return new Failure(`${output.trimEnd().split('\n').slice(-40).join('\n')}\n${what}, see above.`)
}

function fingerprintOfSources() {
  const hash = createHash('sha256')
  for (const path of [...files, ...inputs.flatMap(filesIn)]) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0')
  }
  return hash.digest('hex')
}

function filesIn(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)).replaceAll('\\', '/'))
    .filter((path) => !notBuilt.test(path))
    .sort()
}
