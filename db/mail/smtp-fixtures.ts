import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { onTestFinished } from 'vitest'

/** Before the greeting, after the sender, after the recipient, within the content, and after it. */
type Step = 'greeting' | 'sender' | 'recipient' | 'content' | 'reply'
/** Go on, refuse with a code or a whole reply, which may have several lines, hang up, or stop replying. */
type Act = 'go on' | number | `${number} ${string}` | 'hang up' | 'stall'

/**
 * A real mail server on this computer, until the test ends. `taken` has the complete messages, even those after which it
 * hung up without a reply.
 */
export async function startSmtpServer(
  decide: (step: Step, to: string) => Act = () => 'go on',
  port = 0,
  options: SMTPServerOptions = {},
) {
  const taken: (Email & { recipient: string; helo: string })[] = []
  const sockets = new Set<Socket>()
  function act(decided: Act, reply: (error?: Error) => void) {
    if (decided === 'go on') reply()
    else if (decided === 'hang up') for (const socket of sockets) socket.destroy()
    else if (decided !== 'stall') {
      const message = (`${decided}`.slice(4) || 'Not now').split('\n')
      reply(Object.assign(new Error(), { responseCode: Number(`${decided}`.slice(0, 3)), message }))
    }
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onConnect: (_session, reply) => act(decide('greeting', ''), reply),
    onMailFrom: ({ address }, _session, reply) => act(decide('sender', address), reply),
    onRcptTo: ({ address }, _session, reply) => act(decide('recipient', address), reply),
    async onData(stream, { envelope, hostNameAppearsAs }, reply) {
      // Waits until the client begins to send the content. It may be killed meanwhile.
      if (!(await once(stream, 'readable').catch(() => undefined))) return
      const recipient = envelope.rcptTo[0]?.address ?? ''
      act(decide('content', recipient), async (error) => {
        const raw = await buffer(stream).catch(() => undefined)
        if (raw === undefined) return
        if (error) return reply(error)
        const decided = decide('reply', recipient)
        if (!/^\d/.test(`${decided}`))
          taken.push({ ...(await PostalMime.parse(raw)), recipient, helo: hostNameAppearsAs })
        act(decided, reply)
      })
    },
    ...options,
  })
  server.on('error', () => {})
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)))
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  async function stop() {
    for (const socket of sockets) socket.destroy()
    await new Promise<void>((resolve) => server.close(resolve))
  }
  onTestFinished(stop)
  const address = server.server.address() as AddressInfo
  return {
    taken,
    stop,
    port: address.port,
    mail: { server: `smtp://127.0.0.1:${address.port}`, from: 'rsvp@grace.example', name: '' },
  }
}
