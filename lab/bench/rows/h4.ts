import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { root } from '../../../scripts/local-node.mjs'
import { freePort } from '../../../scripts/testing/free-port.mjs'
import { callOf } from '../../exchange.ts'
import { Random } from '../../random.ts'
import { makeRsvp } from '../../rsvp.ts'
import { send } from '../administrator.ts'
import { environmentOf, node } from '../command.ts'
import { MEASURED_CORE, onCore } from '../cores.ts'
import { cpuOf } from '../process-usage.mjs'
import { inTurns, type Row } from '../row.ts'
import { copyOfStored, YEAR_OF_HUNDREDS } from '../stored.ts'

const POLL_INTERVAL_MS = 2
const entry = join(root, 'dist', 'server', 'entry.mjs')
const rawServer = join(import.meta.dirname, '..', 'limits', 'fixed-reply.mjs')
type Sample = { ready: number; cpu: number; firstWrite: number }

/** From the start of the process to the first page, and the first RSVP after it. */
export const h4: Row = {
  id: 'H4',
  title: 'start to the first `/share`; first write',
  limit: 'start of a raw node:http server to its first reply',
  rounds: 11,
  measure: async (rounds) => {
    const { folder, file } = await copyOfStored(YEAR_OF_HUNDREDS)
    try {
      const { ours, limit } = await inTurns(rounds, {
        ours: () => started(entry, file, true),
        limit: () => started(rawServer, file, false),
      })
      const both = (name: 'ready' | 'cpu') => ({
        ours: ours.map((sample) => sample[name]),
        limit: limit.map((sample) => sample[name]),
      })
      return [
        { name: 'first page', unit: 'ms', ...both('ready'), target: { atMost: 2.3 } },
        { name: 'first write', unit: 'ms', ours: ours.map(({ firstWrite }) => firstWrite), target: { atMost: 100 } },
        { name: 'CPU until the first page', unit: 'ms', ...both('cpu') },
      ]
    } finally {
      await rm(folder, { recursive: true })
    }
  },
}

async function started(program: string, database: string, writes: boolean): Promise<Sample> {
  const port = await freePort()
  const [command = '', ...words] = [...onCore(MEASURED_CORE), node, program]
  const env = { ...environmentOf(database), HOST: '127.0.0.1', PORT: String(port) }
  const begun = performance.now()
  const child = spawn(command, words, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const exited = once(child, 'exit')
  const server = { port, pid: child.pid ?? 0, stop: async () => undefined }
  while (!(await isListening(port))) await wait(POLL_INTERVAL_MS)
  const { status } = await send(server, callOf('GET /share'))
  const ready = performance.now() - begun
  const cpu = cpuOf(server.pid)
  if (status !== 200) throw new Error(`The first page was replied to with ${status}.`)
  const rsvp = makeRsvp('first', new Random(1))
  const written = writes ? await send(server, callOf('POST /api/rsvp', rsvp)) : undefined
  if (written !== undefined && written.status !== 201) throw new Error(`The first write got ${written.status}.`)
  child.kill('SIGKILL')
  await exited
  return { ready, cpu, firstWrite: written?.last ?? Number.NaN }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
