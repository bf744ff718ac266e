// Sends requests to a site while it is updated: RSVPs, pages, and each page with all its scripts and styles. Started by
// start-load.mjs in the network of the system where the site runs. When its input ends, it compares what is stored with what
// was acknowledged, and prints the outcome as JSON.
//
// Usage: node load.ts URL DATABASE SEED
import { Agent } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { sendRsvp, startClients } from '../../clients.ts'
import { type Call, callOf, NoReply, type Reply, sendCall } from '../../exchange.ts'
import { judge } from '../../judge.ts'
import { Ledger } from '../../ledger.ts'
import { Random } from '../../random.ts'
import { storedInFile } from '../../stored.ts'

/** Some clients keep their connection, as browsers and proxies do; the others open a new one for each request. */
const KEEPING = 6
const RECONNECTING = 3
/** Before a request is sent again that got no reply. */
const PAUSE_MS = 50

const [url = '', database = '', seed = ''] = process.argv.slice(2)
const ledger = new Ledger()
const random = new Random(Number(seed))
/** Requests without a whole reply, with the moment, in ms. */
const withoutReply: { at: number; text: string }[] = []
let replies = 0
let pages = 0

const agents = Array.from({ length: KEEPING + RECONNECTING }, (_, client) => {
  return new Agent({ keepAlive: client < KEEPING, maxSockets: 1 })
})
const clients = startClients(agents.length, async (client) => {
  const agent = agents[client] ?? new Agent()
  if (client % 2 === 0) return loadPage(agent)
  const rsvp = ledger.newRsvp(random, { keyed: 1 })
  const reply = await sendRsvp(rsvp, ledger, (call) => insist(call, agent, () => (rsvp.times += 1)))
  if (reply?.status !== 201) ledger.complain(`${rsvp.token} got ${reply?.status}: ${reply?.body}`)
})
for await (const _ of process.stdin);
await clients.stop()
const verdict = judge(ledger, storedInFile(database), { refusedIsNotStored: true })
const findings = [...ledger.findings, ...verdict].map(({ kind, text }) => `${kind}: ${text}`)
process.stdout.write(JSON.stringify({ replies, pages, acknowledged: ledger.acknowledged, withoutReply, findings }))
process.exit()

/** As a browser does: the page, then each of its files. */
async function loadPage(agent: Agent): Promise<void> {
  const { status, body } = await insist(callOf('GET /share'), agent)
  const assets = Array.from(new Set(body.match(/\/assets\/[\w.-]+\.(css|js)/g)))
  if (status !== 200 || !assets.some((name) => name.endsWith('.css')))
    ledger.complain(`GET /share got ${status} and ${assets.length} files`)
  for (const path of assets) {
    const file = await insist({ method: 'GET', path }, agent)
    if (file.status !== 200) ledger.complain(`GET ${path} got ${file.status}`)
  }
  pages += 1
}

/** Sends until there is a reply, and notes each time that there is none. */
async function insist(call: Call, agent: Agent, again = () => {}): Promise<Reply> {
  for (;;) {
    try {
      const reply = await sendCall(url, agent, call)
      replies += 1
      return reply
    } catch (error) {
      if (!(error instanceof NoReply)) throw error
      withoutReply.push({ at: Date.now(), text: `${call.method} ${call.path}: ${error.message}` })
      await wait(PAUSE_MS)
      again()
    }
  }
}
