import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startBuiltServer } from '../../scripts/testing/built-server.mjs'
import { freePort } from '../../scripts/testing/free-port.mjs'
import { judge } from '../judge.ts'
import { Ledger } from '../ledger.ts'
import { newSeed, Random } from '../random.ts'
import { storedInFile } from '../stored.ts'
import { REFUSED, REPLIES, startBusyClients, TURNED_AWAY } from './clients.ts'

const LONGEST_RUN_MS = 200
/** From each process. */
const LEAST_REPLIES = 12

type Restarts = {
  replies: number
  acknowledged: number
  refused: number
  turnedAway: number
  slowestStopMs: number
  /** In sentences. */
  findings: string[]
}

/** Stops and starts the built site, as a service manager does, while clients send requests. */
export async function restart(times: number, seed = newSeed()): Promise<Restarts> {
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-restarts-'))
  const file = join(folder, 'rsvp.db')
  const PORT = String(await freePort())
  const random = new Random(seed)
  const ledger = new Ledger()
  const count = (outcome: string) => ledger.outcomes.get(outcome) ?? 0
  const findings: string[] = []
  let slowestStopMs = 0
  const clients = startBusyClients(`http://127.0.0.1:${PORT}`, ledger, random.fork())
  for (let time = 1; time <= times; time++) {
    const site = await startBuiltServer({ PORT, DATABASE_URL: `file:${file}` })
    const before = count(REPLIES)
    await wait(random.below(LONGEST_RUN_MS))
    // A busy machine leaves the clients little time, so this waits for some replies.
    while (count(REPLIES) < before + LEAST_REPLIES && ledger.findings.length === 0) await wait(5)
    const told = performance.now()
    const code = await site.stop()
    slowestStopMs = Math.max(slowestStopMs, Math.round(performance.now() - told))
    if (code !== 0) findings.push(`process ${time} ended with ${code}`)
  }
  await clients.stop()
  // Every request has a reply or was never taken, so what is stored is exactly what was acknowledged.
  const verdict = judge(ledger, storedInFile(file), { refusedIsNotStored: true })
  findings.push(...[...ledger.findings, ...verdict].map(({ kind, text }) => `${kind}: ${text}`))
  rmSync(folder, { recursive: true, force: true })
  return {
    replies: count(REPLIES),
    acknowledged: ledger.acknowledged,
    refused: count(REFUSED),
    turnedAway: count(TURNED_AWAY),
    slowestStopMs,
    findings,
  }
}
