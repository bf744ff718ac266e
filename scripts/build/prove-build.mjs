// Starts a build once before it is put into use: with a database that is thrown away, where nobody else can reach it.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { localEnvironment, localNode, root } from '../local-node.mjs'
import { Failure, run } from '../run.mjs'

/** In ms: more than a small server needs that is busy with other things. */
const PATIENCE = 60_000

/** @throws Failure when the site of this build does not start or answer, or its command does not. */
export async function proveBuild(folder) {
  const place = mkdtempSync(join(tmpdir(), 'rsvp-build-'))
  try {
    const words = [join(folder, 'cli', 'rsvp.js'), '--version']
    const version = await run(localNode(), words, localEnvironment(withoutSettings()))
    if (version.code !== 0) throw doesNotStart('The command of', version.output)
    await proveSite(folder, place)
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

async function proveSite(folder, place) {
  const settings = {
    ...withoutSettings(),
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: `file:${join(place, 'rsvp.db')}`,
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
    const killing = setTimeout(() => site.kill('SIGKILL'), PATIENCE)
    await ended
    clearTimeout(killing)
  }
}

/** What it says when it is ready ends with its address. */
function addressOf(site, output, ended) {
  return new Promise((resolve, reject) => {
    const waiting = setTimeout(() => reject(new Error('It was not ready in time.')), PATIENCE)
    site.stdout.on('data', () => {
      const port = /ready at \S+:(\d+)\n/.exec(output())?.[1]
      if (port !== undefined) resolve(`http://127.0.0.1:${port}`)
    })
    ended.then(() => reject(new Error('It ended.'))).finally(() => clearTimeout(waiting))
  })
}

async function ask(address) {
  // On a connection that stays open the site would wait for more before it ends.
  const reply = await fetch(address, { signal: AbortSignal.timeout(PATIENCE), headers: { connection: 'close' } })
  if (!reply.ok) throw new Error(`${new URL(address).pathname} answered ${reply.status}.`)
  return reply
}

/**
 * Neither the environment nor .env reaches into it: they may be wrong, and that is for the start to say. The account that
 * builds need not even be able to read .env. A build of an older version, to which somebody goes back, reads it all the
 * same, but does not take from it what is set to nothing here.
 */
function withoutSettings() {
  const names = readFileSync(join(root, '.env.example'), 'utf8').matchAll(/^# ([A-Z_]+)=/gm)
  return { ...Object.fromEntries(Array.from(names, ([, name]) => [name, ''])), RSVP_ENV_FILE: 'none' }
}

function doesNotStart(what, output) {
  const last = output.trimEnd().split('\n').slice(-20).join('\n')
  return new Failure(`${last}\n${what} the new build does not start, see above.`)
}
