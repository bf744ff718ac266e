// Sends requests to a site while it is updated: RSVPs, pages, and each page with all its scripts and styles. Started by
// run.mjs in the network of the system where the site runs. When its input ends, it compares what is stored with what was
// acknowledged, and prints the outcome as JSON.
//
// Usage: node load.ts URL DATABASE SEED
import { judge } from '../../judge.ts'
import { Ledger } from '../../ledger.ts'
import { Random } from '../../random.ts'
import { REFUSED, REPLIES, startBusyClients, TURNED_AWAY } from '../../restarts/clients.ts'
import { storedInFile } from '../../stored.ts'
import { visit } from '../users.ts'

const [url = '', database = '', seed = ''] = process.argv.slice(2)
/** Between two pages of the visitor who loads each with all its files. */
const PAUSE_MS = 20

const ledger = new Ledger()
const clients = startBusyClients(url, ledger, new Random(Number(seed)))
const leave = visit(url, PAUSE_MS)
for await (const _ of process.stdin);
await clients.stop()
const { missed, pages } = await leave()
const count = (outcome: string) => ledger.outcomes.get(outcome) ?? 0
const verdict = judge(ledger, storedInFile(database), { refusedIsNotStored: true })
const findings = [...ledger.findings, ...verdict].map(({ kind, text }) => `${kind}: ${text}`)
const outcome = {
  replies: count(REPLIES),
  acknowledged: ledger.acknowledged,
  refused: count(REFUSED),
  turnedAway: count(TURNED_AWAY),
  pages,
  findings: [...findings, ...missed.map((text) => `page: ${text}`)],
}
process.stdout.write(JSON.stringify(outcome))
