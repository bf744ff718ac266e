import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { LOAD_CORE, onCore } from '../cores.ts'
import { percentileOf } from '../figures.ts'
import { cpuOf } from '../process-usage.mjs'
import { inTurns } from '../row.ts'
import type { Server } from '../servers.ts'

const client = fileURLToPath(new URL('client.ts', import.meta.url))
const CONNECTIONS = 32
const LOAD_MS = 2000
const OUTPUT_MAXIMUM = 64 * 2 ** 20
const run = promisify(execFile)

export type LoadRequest = {
  port: number
  method: string
  path: string
  headers: Record<string, string>
  /** `{number}` in it, and in a header, is another number in each request. */
  body?: string
  /** Every other status is a failure. */
  expected: number
  connections: number
  ms: number
  firstNumber: number
}
/** How long each expected reply took, in ms, and what else came back, how often. */
export type LoadResult = { ms: number; times: number[]; failures: Record<string, number> }

type Request = Pick<LoadRequest, 'path' | 'body' | 'expected'> & Partial<Pick<LoadRequest, 'method' | 'headers'>>
/** Replies and replies a second, the server's CPU time for one in µs, and the times of replies in ms. */
export type LoadSample = { replies: number; rate: number; cpu: number; p50: number; p99: number }

/** As a browser sends it. */
const ACCEPTED = { 'accept-encoding': 'gzip, deflate, br, zstd' }

let firstNumber = Math.floor(Math.random() * 1e9) * 100

/** Loads ours and the limit in turns with the same request. */
export function loadInTurns(rounds: number, servers: Record<'ours' | 'limit', Server>, request: Request) {
  return inTurns(rounds, {
    ours: () => load(servers.ours, request),
    limit: () => load(servers.limit, request),
  })
}

/** Sends requests for two seconds; throws where a reply is not the expected one. */
export async function load(
  { port, pid }: Server,
  { method = 'GET', headers, ...request }: Request,
): Promise<LoadSample> {
  const all = { ...ACCEPTED, ...headers }
  const given = { port, method, headers: all, connections: CONNECTIONS, ms: LOAD_MS, firstNumber, ...request }
  const cpuBefore = cpuOf(pid)
  const [command = '', ...words] = [...onCore(LOAD_CORE), process.execPath, client, JSON.stringify(given)]
  const { stdout } = await run(command, words, { maxBuffer: OUTPUT_MAXIMUM })
  const cpu = cpuOf(pid) - cpuBefore
  const { ms, times, failures } = JSON.parse(stdout) as LoadResult
  if (Object.keys(failures).length > 0) {
    throw new Error(`${method} ${request.path} was not always replied to as it should: ${JSON.stringify(failures)}`)
  }
  firstNumber += times.length
  const sorted = Float64Array.from(times).sort()
  return {
    replies: times.length,
    rate: (times.length / ms) * 1000,
    cpu: (cpu / times.length) * 1000,
    p50: percentileOf(sorted, 0.5),
    p99: percentileOf(sorted, 0.99),
  }
}

/** The same sample of every round. */
export function samplesOf(samples: Record<'ours' | 'limit', LoadSample[]>, name: keyof LoadSample) {
  return { ours: samples.ours.map((one) => one[name]), limit: samples.limit.map((one) => one[name]) }
}
