import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { percentileOf } from './figures.ts'
import { cpuOf, onLoadCore, type Server } from './measured.ts'

const CONNECTIONS = 32
const LOAD_MS = 2000
const OUTPUT_MAXIMUM = 64 * 2 ** 20
/** As a browser sends it. */
const ACCEPTED = { 'accept-encoding': 'gzip, deflate, br, zstd' }
const run = promisify(execFile)

export type LoadRequest = {
  port: number
  method: string
  path: string
  headers: Record<string, string>
  /** `{number}` in it, and in a header, becomes a different number in each request. */
  body?: string
  /** Every other status is a failure. */
  expected: number
  connections: number
  ms: number
  firstNumber: number
}
/** `times` of expected replies, in ms; `failures` counts all other results. */
export type LoadResult = { ms: number; times: number[]; failures: Record<string, number> }

type Request = Pick<LoadRequest, 'path' | 'body'> & Partial<Pick<LoadRequest, 'method' | 'headers' | 'expected'>>
/** Replies and replies a second, the server's CPU time for one in ms, and the 99th percentile of their times in ms. */
export type LoadSample = { replies: number; rate: number; cpu: number; p99: number }

let firstNumber = Math.floor(Math.random() * 1e9) * 100

/** Sends requests for two seconds; throws if a reply is not the expected one. */
export async function load({ url, pid }: Server, request: Request): Promise<LoadSample> {
  const given: LoadRequest = {
    method: 'GET',
    expected: 200,
    ...request,
    port: Number(new URL(url).port),
    headers: { ...ACCEPTED, ...request.headers },
    connections: CONNECTIONS,
    ms: LOAD_MS,
    firstNumber,
  }
  const cpuBefore = cpuOf(pid)
  const client = join(import.meta.dirname, 'client.ts')
  const [command = '', ...words] = [...onLoadCore, process.execPath, client, JSON.stringify(given)]
  const { stdout } = await run(command, words, { maxBuffer: OUTPUT_MAXIMUM })
  const cpu = cpuOf(pid) - cpuBefore
  const { ms, times, failures } = JSON.parse(stdout) as LoadResult
  if (Object.keys(failures).length > 0) throw new Error(`${request.path}: ${JSON.stringify(failures)}`)
  firstNumber += times.length
  const sorted = Float64Array.from(times).sort()
  return {
    replies: times.length,
    rate: (times.length / ms) * 1000,
    cpu: cpu / times.length,
    p99: percentileOf(sorted, 0.99),
  }
}
