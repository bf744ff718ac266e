import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Server, startLimit } from './servers.ts'

/** What a server replied with: its own headers, and its bytes in base 64 as they were sent. */
type RecordedReply = { headers: Record<string, string | string[]>; body: string }

/** Node writes these by itself. */
const WRITTEN_BY_NODE = ['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length']

/** A raw node:http server that sends what this address replies with to a browser, to the byte. */
export async function startSameReply(url: string): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-bench-'))
  const file = join(folder, 'reply.json')
  writeFileSync(file, JSON.stringify(await recordReply(url)))
  const server = await startLimit('fixed-reply.mjs', file)
  rmSync(folder, { recursive: true })
  return server
}

function recordReply(url: string): Promise<RecordedReply> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false, headers: { 'accept-encoding': 'gzip, deflate, br, zstd' } }, (reply) => {
      if (reply.statusCode !== 200) reject(new Error(`${url} replied ${reply.statusCode}.`))
      const parts: Buffer[] = []
      reply.on('data', (part) => parts.push(part))
      reply.on('end', () => {
        const kept = Object.entries(reply.headers).filter(([name]) => !WRITTEN_BY_NODE.includes(name))
        const headers = Object.fromEntries(kept.map(([name, value]) => [name, value ?? '']))
        resolve({ headers, body: Buffer.concat(parts).toString('base64') })
      })
    }).once('error', reject)
  })
}
