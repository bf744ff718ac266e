// Starts the built site on a free port with its own database, for tests, measurements and the lab.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { globalAgent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { localNode, root } from '../local-node.mjs'
import { Failure } from '../run.mjs'
import { ownClock } from './faketime.mjs'
import { freePort } from './free-port.mjs'

/** Enough for a busy machine. */
const TIMEOUT_MS = 120_000

/**
 * Resolves when the site serves requests.
 * @param {NodeJS.ProcessEnv} variables override the environment set here.
 * @param {string[]} within a command that runs the site, e.g. one that enters another namespace first.
 * @param {string} build the folder of the build
 */
export async function startBuiltServer(variables = {}, within = [], build = join(root, 'dist')) {
  const entry = join(build, 'server', 'entry.mjs')
  if (!existsSync(entry)) throw new Failure('There is no built site: run `node scripts/setup.mjs` first.')
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-'))
  const port = variables.PORT ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  const { PATH, TMPDIR, TZ, NODE_OPTIONS, NODE_COMPILE_CACHE } = process.env
  const env = {
    // Not the settings of this account, nor those of a developer's own .env.
    PATH,
    TMPDIR,
    TZ,
    NODE_OPTIONS,
    NODE_COMPILE_CACHE,
    ...ownClock(),
    NODE_ENV: 'production',
    RSVP_ENV_FILE: 'none',
    HOST: '127.0.0.1',
    PORT: String(port),
    DATABASE_URL: `file:${join(folder, 'rsvp.db')}`,
    LOG_LEVEL: 'warn',
    ...variables,
  }
  const [command = '', ...words] = [...within, localNode(), entry]
  const server = spawn(command, words, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [server.stdout, server.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const ended = new Promise((resolve) => server.once('close', resolve))

  /** Resolves with the exit code, or null if it had to be killed. The site itself stops within ten seconds. */
  async function stop() {
    closeIdleConnections()
    server.kill('SIGTERM')
    const killing = setTimeout(() => server.kill('SIGKILL'), TIMEOUT_MS)
    const code = await ended
    clearTimeout(killing)
    rmSync(folder, { recursive: true, force: true })
    return code
  }

  /** Like a crash: no handler runs. */
  async function kill() {
    server.kill('SIGKILL')
    await ended
  }

  // The site prints this once it listens.
  const isReady = () => output.includes('The RSVP site is ready')
  for (const deadline = Date.now() + TIMEOUT_MS; !isReady(); await wait(20)) {
    if (server.exitCode === null && Date.now() < deadline) continue
    await stop()
    if (output.includes('EADDRINUSE')) return startBuiltServer(variables, within, build)
    throw new Failure(`The built site did not start:\n${output.trim() || 'it printed nothing.'}`)
  }
  return { url, folder, pid: server.pid, stop, kill, ended, output: () => output, [Symbol.asyncDispose]: stop }
}

/** A stopping server waits half a second for the next request on each connection that is still open. */
function closeIdleConnections() {
  for (const sockets of Object.values(globalAgent.freeSockets)) for (const socket of sockets ?? []) socket.destroy()
}
