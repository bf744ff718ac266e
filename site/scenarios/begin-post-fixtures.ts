import { connect } from 'node:net'
import { expect } from 'vitest'
import { eventually } from './faults/fixtures.ts'
import type { Site } from './fixtures.ts'

/** An RSVP of which the server has read the beginning: it says so itself with 100 Continue. */
export async function beginPost({ url }: Pick<Site, 'url'>, json: string) {
  const { hostname, host, port } = new URL(url)
  const socket = connect(Number(port), hostname.replace(/[[\]]/g, '')).setEncoding('utf8')
  const head = ['POST /api/rsvp HTTP/1.1', `Host: ${host}`, 'Content-Type: application/json', 'Expect: 100-continue']
  socket.write(`${head.join('\r\n')}\r\nContent-Length: ${Buffer.byteLength(json)}\r\n\r\n`)
  let said = ''
  socket.on('data', (text) => {
    said += text
  })
  // Also where it is reset: then what it said is not what is expected.
  const text = new Promise<string>((resolve) => socket.on('error', () => {}).once('close', () => resolve(said)))
  await eventually(() => expect(said).toMatch(/^HTTP\/1\.1 100 /))
  return { finish: () => socket.write(json), text }
}
