import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

const MIB = 2 ** 20
const TIMEOUT_MS = 15_000
const POLL_INTERVAL_MS = 100
/** Environment for the server: the system chooses a free port for its inspector. */
export const WATCHED = { NODE_OPTIONS: '--inspect-port=0' }

type Site = { pid?: number | undefined; output(): string }

/** A server process, observed from outside. Node's inspector makes it collect its garbage. */
export type Watched = {
  /** Its resident memory, in MiB. */
  memory(): number
  /** Its open files, including connections. */
  files(): number
  /** Its JavaScript heap in MiB, after garbage collection. */
  heapAfterCollection(): Promise<number>
  close(): void
}

/** The process must have been started with `WATCHED` in its environment. */
export async function watch({ pid, output }: Site): Promise<Watched> {
  if (pid === undefined) throw new Error('The server has no process.')
  const inspector = await inspect(pid, output)
  return {
    memory: () => Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
    files: () => readdirSync(`/proc/${pid}/fd`).length,
    async heapAfterCollection() {
      // Objects that are finalized in the first pass are collected in the second.
      for (let pass = 0; pass < 2; pass++) await inspector.call('HeapProfiler.collectGarbage')
      return Number((await inspector.call('Runtime.getHeapUsage')).usedSize) / MIB
    },
    close: inspector.close,
  }
}

/** SIGUSR1 makes Node open its inspector, for this computer only. */
async function inspect(pid: number, output: () => string) {
  process.kill(pid, 'SIGUSR1')
  const socket = new WebSocket(await inspectorOf(output))
  const waiting = new Map<number, (result: Record<string, unknown>) => void>()
  socket.onmessage = ({ data }) => {
    const { id, result } = JSON.parse(String(data))
    waiting.get(id)?.(result)
    waiting.delete(id)
  }
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = reject
  })

  let calls = 0
  return {
    call(method: string): Promise<Record<string, unknown>> {
      const id = ++calls
      socket.send(JSON.stringify({ id, method }))
      return new Promise((resolve) => waiting.set(id, resolve))
    },
    close: () => socket.close(),
  }
}

async function inspectorOf(output: () => string): Promise<string> {
  for (const deadline = performance.now() + TIMEOUT_MS; performance.now() < deadline; await wait(POLL_INTERVAL_MS)) {
    const [address] = /ws:\/\/\S+/.exec(output()) ?? []
    if (address !== undefined) return address
  }
  throw new Error('The server did not open its inspector.')
}
