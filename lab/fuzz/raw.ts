import { connect } from 'node:net'
import fc from 'fast-check'
import { isComplete } from './complete.ts'
import { damagedMessage } from './messages.ts'
import { Late, LONGEST_MS, Tally } from './tally.ts'

/** How many connections are open at any time. */
const LANES = 8
/** After an incomplete message the client waits this long for a reply, then ends the message. */
const SHORT_WAIT_MS = 50
const ORDINARY = 'GET /share HTTP/1.1\r\nConnection: close\r\n\r\n'

type Run = { url: string; seed: number; messages: number }
type End = { statuses: number[]; ms: number }

/** Sends damaged requests: the server replies below 500 or hangs up, in time. */
export async function fuzzMessages({ url, seed, messages }: Run): Promise<Tally> {
  const tally = new Tally()
  const port = Number(new URL(url).port)
  const ordinary = () => sendRaw(port, ORDINARY, LONGEST_MS)

  async function lane(number: number): Promise<void> {
    const property = fc.asyncProperty(damagedMessage, async (message) => {
      const { statuses, ms } = await tally.retryLate((timeoutMs) => sendRaw(port, message, timeoutMs), ordinary)
      tally.count(statuses.length > 0 ? 'replied' : 'hung up on', ms)
      const broken = statuses.find((status) => status >= 500)
      if (broken !== undefined) throw new Error(`The reply was ${broken}.`)
      // Right away, so that a crash is reported with the message that caused it.
      await tally.retryLate((timeoutMs) => sendRaw(port, ORDINARY, timeoutMs), ordinary)
    })
    const settings = { seed: seed + number, numRuns: Math.ceil(messages / LANES), verbose: true }
    tally.judge(await fc.check(property, settings))
  }

  await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)))
  return tally
}

/** Writes a message and reads until the server hangs up. The client ends an incomplete message, and one with a reply. */
function sendRaw(port: number, message: string, timeoutMs: number): Promise<End> {
  const complete = isComplete(message)
  let text = ''
  let ms: number | undefined
  let written = performance.now()
  let timer: NodeJS.Timeout | undefined
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })

    function hang(what: string): void {
      socket.destroy()
      reject(new Late(`${what} in ${timeoutMs} ms.`))
    }
    function endSoon(): void {
      clearTimeout(timer)
      timer = setTimeout(() => {
        if (text === '') written = performance.now()
        socket.end()
        timer = setTimeout(() => hang('The client ended the message, and the server did not hang up'), timeoutMs)
      }, SHORT_WAIT_MS)
    }

    socket.on('connect', () => {
      socket.write(message, 'latin1')
      written = performance.now()
      if (complete) timer = setTimeout(() => hang('A complete message got no reply'), timeoutMs)
      else endSoon()
    })
    socket.setEncoding('latin1').on('data', (part) => {
      ms ??= performance.now() - written
      text += part
      endSoon()
    })
    socket.on('end', () => socket.end())
    // After its reply the server may cut off what is still being sent. A refused connection means that it has crashed.
    socket.on('error', (error: Error & { code?: string }) => {
      if (error.code === 'ECONNREFUSED') reject(error)
    })
    socket.on('close', () => {
      clearTimeout(timer)
      const statuses = Array.from(text.matchAll(/^HTTP\/1\.1 (\d{3})/gm), ([, status]) => Number(status))
      resolve({ statuses, ms: ms ?? performance.now() - written })
    })
  })
}
