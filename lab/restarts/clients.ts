import { Agent, type ClientRequest, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

/** Some send one request after the other on a connection, as browsers and proxies do; others take a new one each time. */
const KEEPING = 8
const RECONNECTING = 4
const PAUSE_MS = 20
/** What has no answer by then has none on a busy machine either. */
const PATIENCE_MS = 120_000

/** What clients have seen. */
export class Seen {
  answered = 0
  /** Connections while nobody listened. */
  refused = 0
  /**
   * Connections that the system had made and the site had not accepted yet when it stopped listening: the system resets
   * them. If the site had taken such a request, the answer would be stored twice, as it is sent once more.
   */
  turnedAway = 0
  readonly acknowledged = new Set<string>()
  /** In sentences. */
  readonly lost: string[] = []
}

/** Clients that ask without a pause: every other request is an answer to the invitation, the others read. */
export function startClients(url: string, seen: Seen): { stop(): Promise<void> } {
  let goesOn = true
  const clients = Array.from({ length: KEEPING + RECONNECTING }, (_, number) =>
    client(`Visitor ${number}`, new Agent({ keepAlive: number < KEEPING, maxSockets: 1 })),
  )

  async function client(name: string, agent: Agent): Promise<void> {
    for (let number = 0; goesOn; number++) {
      if (number % 2 === 0) await read(agent)
      else await post(`${name}, answer ${number}`, agent)
    }
    agent.destroy()
  }

  async function read(agent: Agent): Promise<void> {
    const answer = await insist('GET /share', () => send(`${url}/share`, agent))
    if (answer !== undefined && !(answer.status === 200 && answer.body.endsWith('</html>')))
      lose(`GET /share was answered with ${answer.status} and ${answer.body.length} characters`)
  }

  async function post(name: string, agent: Agent): Promise<void> {
    const email = 'visitor@visitor.example'
    const json = JSON.stringify({ name, email, attending: true, familyMembers: [{ name: `${name} Junior` }] })
    const answer = await insist(`POST of ${name}`, () => send(`${url}/api/rsvp`, agent, json))
    if (answer === undefined) return
    if (answer.status !== 201) return lose(`${name} was answered with ${answer.status}: ${answer.body}`)
    seen.acknowledged.add(name)
  }

  /** Tries again what the site has never taken. Any other request that gets no whole answer is lost. */
  async function insist(what: string, ask: () => Sending): Promise<Answer | undefined> {
    while (goesOn) {
      const sending = ask()
      try {
        const answer = await sending.answer
        seen.answered++
        return answer
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? error.code : undefined
        if (code === 'ECONNREFUSED') seen.refused++
        else if (code === 'ECONNRESET' && !sending.outgoing.reusedSocket && !sending.isAnswered()) seen.turnedAway++
        else return lose(`${what} got no answer (${error}); connection used before: ${sending.outgoing.reusedSocket}`)
        await wait(PAUSE_MS)
      }
    }
    return undefined
  }

  function lose(what: string): undefined {
    seen.lost.push(what)
  }

  return {
    async stop() {
      goesOn = false
      await Promise.all(clients)
    },
  }
}

type Answer = { status: number; body: string }
type Sending = { outgoing: ClientRequest; answer: Promise<Answer>; isAnswered(): boolean }

function send(url: string, agent: Agent, json?: string): Sending {
  const headers = json === undefined ? {} : { 'content-type': 'application/json' }
  const outgoing = request(url, { method: json === undefined ? 'GET' : 'POST', agent, headers, timeout: PATIENCE_MS })
  let begun = false
  const answer = new Promise<Answer>((resolve, reject) => {
    outgoing.on('response', (incoming) => {
      begun = true
      // An answer that is cut off is an error here.
      incoming
        .setEncoding('utf8')
        .toArray()
        .then((parts) => resolve({ status: incoming.statusCode ?? 0, body: parts.join('') }), reject)
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer in time'))).on('error', reject)
  })
  outgoing.end(json)
  return { outgoing, answer, isAnswered: () => begun }
}
