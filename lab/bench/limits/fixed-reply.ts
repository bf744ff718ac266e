// A raw node:http server that sends the same reply to every request: `node fixed-reply.ts FILE`. The file holds what
// `recordReply` has recorded; without a file it replies with a few bytes.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RecordedReply } from '../recorded-reply.ts'

const [file] = process.argv.slice(2)
const plain: RecordedReply = { headers: { 'content-type': 'text/plain' }, body: '' }
const recorded: RecordedReply = file === undefined ? plain : JSON.parse(readFileSync(file, 'utf8'))
const body = Buffer.from(recorded.body, 'base64')
const headers = { ...recorded.headers, 'content-length': body.length }

const server = createServer((_request, reply) => reply.writeHead(200, headers).end(body))
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
