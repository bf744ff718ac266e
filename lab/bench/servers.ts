import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { startBuiltServer } from '../../scripts/testing/built-server.mjs'
import { MEASURED_CORE, onCore } from './cores.ts'
import { copyOfStored } from './stored.ts'

export type Server = { port: number; pid: number; stop(): Promise<unknown> }
export type Site = Server & { url: string; database: string; output(): string }

/** The limit of RSVPs is kept track of, but never reached. */
const SETTINGS = { RSVP_POST_LIMIT: '999999/999999' }

/** The built site with so many stored responses, guarded by the stored password, on the measured core. */
export async function startSite(stored: number, environment: Record<string, string> = {}): Promise<Site> {
  const { folder, file } = await copyOfStored(stored)
  const variables = { ...SETTINGS, DATABASE_URL: `file:${file}`, ...environment }
  const site = await startBuiltServer(variables, undefined, onCore(MEASURED_CORE))
  if (site.pid === undefined) throw new Error('The site has no process.')
  const { pid, url, output } = site
  const stop = async () => {
    await site.stop()
    await rm(folder, { recursive: true })
  }
  return { url, port: Number(new URL(url).port), pid, database: file, output, stop }
}

/** A program of `limits/`, on the measured core. It prints its port when it listens. */
export async function startLimit(program: string, ...words: string[]): Promise<Server> {
  const path = fileURLToPath(new URL(`limits/${program}`, import.meta.url))
  const [command = '', ...args] = [...onCore(MEASURED_CORE), process.execPath, path, ...words]
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], env: environment() })
  const exited = once(child, 'exit')
  const [printed] = await Promise.race([once(child.stdout, 'data'), exited])
  const port = Number(printed)
  if (child.pid === undefined || !(port > 0)) throw new Error(`${program} did not start.`)
  const stop = () => {
    child.kill('SIGKILL')
    return exited
  }
  return { port, pid: child.pid, stop }
}

/** Runs with servers, and stops them whatever happens. */
export async function withServers<Servers extends Record<string, Server>, Result>(
  servers: Servers,
  work: (servers: Servers) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(servers)
  } finally {
    for (const server of Object.values(servers)) await server.stop()
  }
}

function environment() {
  return { ...process.env, NODE_ENV: 'production', NODE_NO_WARNINGS: '1' }
}
