// Starts a build once before it is used: with a temporary database, on a port that only this script knows.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localEnvironment, localNode, root } from '../local-node.mjs'
import { Failure, run } from '../run.mjs'
import { request, trySite } from './try-site.mjs'

/** @throws Failure when the site of this build does not start or reply, or its command does not start. */
export async function proveBuild(folder) {
  const place = mkdtempSync(join(tmpdir(), 'rsvp-build-'))
  try {
    await proveCommand(folder, ['--version'])
    await proveSite(folder, place)
    // What Node compiles for it is kept (cli/launcher.cjs). Node keeps that of a first run only: one of what most commands use.
    const variables = { NODE_COMPILE_CACHE: join(folder, 'cli', 'cache') }
    await proveCommand(folder, ['list', '--db', databaseIn(place)], variables)
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

async function proveCommand(folder, words, variables = {}) {
  const environment = localEnvironment({ ...withoutSettings(), ...variables })
  const { code, output } = await run(localNode(), [join(folder, 'cli', 'rsvp.js'), ...words], environment)
  if (code !== 0) throw doesNotStart('The command of', output)
}

async function proveSite(folder, place) {
  const settings = {
    ...withoutSettings(),
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: databaseIn(place),
  }
  const command = [localNode(), join(folder, 'server', 'entry.mjs')]
  try {
    await trySite(command, { cwd: root, env: localEnvironment(settings) }, (url) => request(`${url}/api/health`))
  } catch (error) {
    throw doesNotStart('The site of', error.output || error.message)
  }
}

function databaseIn(place) {
  return `file:${join(place, 'rsvp.db')}`
}

/**
 * Keeps the environment and .env out: the start reports errors in them, and the account that builds may not be allowed to
 * read .env. A build of an older version still reads .env, but ignores each setting that is set to the empty string here.
 */
function withoutSettings() {
  const names = readFileSync(join(root, '.env.example'), 'utf8').matchAll(/^# ([A-Z_]+)=/gm)
  return { ...Object.fromEntries(Array.from(names, ([, name]) => [name, ''])), RSVP_ENV_FILE: 'none' }
}

function doesNotStart(what, output) {
  const last = output.trimEnd().split('\n').slice(-20).join('\n')
  return new Failure(`${last}\n${what} the new build does not start, see above.`)
}
