import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { startBuiltServer } from '../../scripts/testing/built-server.mjs'
import { freePort } from '../../scripts/testing/free-port.mjs'
import { Seen, startClients } from './clients.ts'

const LONGEST_RUN_MS = 200
/** By each process. */
const LEAST_ANSWERED = 12

export type Restarts = {
  answered: number
  acknowledged: number
  refused: number
  turnedAway: number
  slowestStopMs: number
  /** What must not be, as sentences. */
  findings: string[]
}

/** Stops and starts the built site so many times, as a service manager does, while clients ask all the time. */
export async function restart(times: number): Promise<Restarts> {
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-restarts-'))
  const file = join(folder, 'rsvp.db')
  const PORT = String(await freePort())
  const seen = new Seen()
  const findings: string[] = []
  let slowestStopMs = 0
  const clients = startClients(`http://127.0.0.1:${PORT}`, seen)
  for (let time = 1; time <= times; time++) {
    const site = await startBuiltServer({ PORT, DATABASE_URL: `file:${file}` })
    const before = seen.answered
    await wait(Math.random() * LONGEST_RUN_MS)
    // Also where a busy machine leaves the clients little time.
    while (seen.answered < before + LEAST_ANSWERED && seen.lost.length === 0) await wait(5)
    const told = performance.now()
    const code = await site.stop()
    slowestStopMs = Math.max(slowestStopMs, Math.round(performance.now() - told))
    if (code !== 0) findings.push(`process ${time} ended with ${code}`)
  }
  await clients.stop()
  findings.push(...seen.lost, ...compare(file, seen.acknowledged))
  rmSync(folder, { recursive: true, force: true })
  const { answered, acknowledged, refused, turnedAway } = seen
  return { answered, acknowledged: acknowledged.size, refused, turnedAway, slowestStopMs, findings }
}

/** What is stored is what was acknowledged, each once and whole: nobody sends an answer again. */
function compare(file: string, acknowledged: ReadonlySet<string>): string[] {
  const database = new DatabaseSync(file, { readOnly: true })
  const rows = database
    .prepare('SELECT rsvps.name, family_members.name AS member FROM rsvps LEFT JOIN family_members ON rsvp_id = id')
    .all()
  database.close()
  const stored = new Set(rows.map(({ name }) => String(name)))
  return [
    ...Array.from(acknowledged.difference(stored), (name) => `${name} was acknowledged and is not stored`),
    ...Array.from(stored.difference(acknowledged), (name) => `${name} is stored and was not acknowledged`),
    ...rows
      .filter(({ name, member }) => member !== `${name} Junior`)
      .map(({ name }) => `${name} is stored without its family`),
    ...(stored.size < rows.length ? [`${rows.length - stored.size} answers are stored twice`] : []),
  ]
}
