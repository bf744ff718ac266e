// A raw node:http server that sends the same reply to every request: `node fixed-reply.mjs [FILE]`. The file holds a
// RecordedReply; without it the reply is empty. Plain JavaScript, like all limits, because built code has no types to
// strip.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const [file] = process.argv.slice(2)
const recorded = file === undefined ? { headers: {}, body: '' } : JSON.parse(readFileSync(file, 'utf8'))
const body = Buffer.from(recorded.body, 'base64')
const headers = { ...recorded.headers, 'content-length': body.length }

const server = createServer((_request, reply) => reply.writeHead(200, headers).end(body))
server.listen(Number(process.env.PORT ?? 0), '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
