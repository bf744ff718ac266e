// Starts a build once before it is used: with a temporary database, on a port that only this script knows.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localEnvironment, localNode, root } from '../local-node.mjs'
import { Failure, run } from '../run.mjs'

/** Long enough for a small server that is busy with other work. */
const TIMEOUT_MS = 60_000

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
  const site = spawn(localNode(), [join(folder, 'server', 'entry.mjs')], {
    cwd: root,
    env: localEnvironment(settings),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [site.stdout, site.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const ended = new Promise((resolve) => site.once('close', resolve))
  try {
    const url = await addressOf(site, () => output, ended)
    await ask(`${url}/api/health`)
    const page = await (await ask(`${url}/share`)).text()
    for (const [, path] of page.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)) await ask(url + path)
  } catch (error) {
    throw doesNotStart('The site of', output || error.message)
  } finally {
    site.kill('SIGTERM')
    const killing = setTimeout(() => site.kill('SIGKILL'), TIMEOUT_MS)
    await ended
    clearTimeout(killing)
  }
}

function databaseIn(place) {
  return `file:${join(place, 'rsvp.db')}`
}

/** The line that the site prints when it is ready ends with its address. */
function addressOf(site, output, ended) {
  return new Promise((resolve, reject) => {
    const waiting = setTimeout(() => reject(new Error('It was not ready in time.')), TIMEOUT_MS)
    site.stdout.on('data', () => {
      const port = /ready at \S+:(\d+)\n/.exec(output())?.[1]
      if (port !== undefined) resolve(`http://127.0.0.1:${port}`)
    })
    ended.then(() => reject(new Error('It ended.'))).finally(() => clearTimeout(waiting))
  })
}

async function ask(address) {
  // The site would wait for more requests on a connection that stays open, and stop late.
  const reply = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS), headers: { connection: 'close' } })
  if (!reply.ok) throw new Error(`${new URL(address).pathname} replied ${reply.status}.`)
  return reply
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
