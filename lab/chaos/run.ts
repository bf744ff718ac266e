// Kills servers under load again and again. Ends with exit code 1 if an acknowledged RSVP is lost, half-written or
// stored twice. `npm run lab -- chaos` takes about half an hour, with these options:
//
//   --database file      kills the site, while another process takes the lock of its file
//   --database server    kills two sites, and the libSQL server that they share; both kinds by default
//   --rounds N           500 of each by default
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Failure } from '../../scripts/run.mjs'
import { startBuiltServer } from '../../scripts/testing/built-server.mjs'
import { holdLock } from '../../scripts/testing/hold-lock.mjs'
import { startLibsqlServer } from '../../scripts/testing/libsql-server.mjs'
import { judge } from '../judge.ts'
import { type Finding, kinds, Ledger, type SentRsvp } from '../ledger.ts'
import { send, startLoad } from '../load.ts'
import { below, chance, pick } from '../random.ts'
import type { Options } from '../run.ts'
import { type Stored, storedInFile, storedOnServer } from '../stored.ts'

/** Each round but the first starts with what the kills before it have left. */
const ROUNDS_PER_DATABASE = 50
/** Characters of a finding. The rest is with the evidence. */
const PRINTED = 500
/** Counted if another process held the lock of the database. */
export const LOCK_TAKEN = 'lock taken by another process'
const SERVER_KILLED = 'libSQL server killed'

const LONGEST_LOAD_MS = 1000
/** The share of rounds that wait for the first RSVP and the first disturbance before their time begins. */
const WARM = 0.75
const LONGEST_DOWN_MS = 150

/** Three days from now: what a client changes or withdraws is refused once its service is over. */
const SERVICE = { weekday: (new Date().getDay() + 3) % 7 }

const databases = ['file', 'server'] as const
type Database = (typeof databases)[number]

/** A database on which rounds are played, each on what the round before has left. */
type Stage = {
  url: string
  folder: string
  /** How many sites use it. */
  sites: number
  /** Disturbs the sites until it is ended; each time is counted as `disturbed`. */
  disturbed: string
  disturb(ledger: Ledger): { end(): Promise<unknown> }
  /** What is stored once the sites are killed. */
  read(): Stored | Promise<Stored>
  end?(): Promise<void>
}

export async function main({ rounds = 500, database: asked }: Options): Promise<void> {
  const chosen = databases.filter((database) => asked === undefined || database === asked)
  if (chosen.length === 0) throw new Failure(`A database is a ${databases.join(' or a ')}.`)
  for (const database of chosen) {
    const { findings, outcomes } = await playRounds(database, rounds)
    const counts = kinds.map((kind) => `${findings.filter((one) => one.kind === kind).length} ${kind}`)
    console.log(Array.from(outcomes, ([what, times]) => `${what}: ${times.toLocaleString('en-US')}`).join(', '))
    console.log(`${rounds} rounds on a ${database}: ${counts.join(', ')}\n`)
    if (findings.length > 0) process.exitCode = 1
  }
}

export async function playRounds(database: Database, rounds: number) {
  const total = { findings: [] as Finding[], outcomes: new Map<string, number>() }
  let played = 0
  while (played < rounds) {
    const stage = database === 'file' ? fileStage() : await serverStage()
    const ledger = new Ledger()
    const again: SentRsvp[] = []
    const last = Math.min(rounds, played + ROUNDS_PER_DATABASE)
    let findings: Finding[] = []
    // After a finding, later rounds would find the same in this database again.
    for (; played < last && findings.length === 0; played++)
      findings = await playRound(stage, ledger, again).catch((error) => [{ kind: 'failure', text: String(error) }])
    total.findings.push(...findings)
    for (const [what, times] of ledger.outcomes) total.outcomes.set(what, (total.outcomes.get(what) ?? 0) + times)
    await stage.end?.()
    if (findings.length > 0) report(stage, ledger, findings)
    else rmSync(stage.folder, { recursive: true })
  }
  return total
}

async function playRound(stage: Stage, ledger: Ledger, again: SentRsvp[]): Promise<Finding[]> {
  const starting = Array.from({ length: stage.sites }, () => startBuiltServer({ DATABASE_URL: stage.url }))
  const sites = await Promise.all(starting)
  const urls = sites.map(({ url }) => url)
  const isFirst = ledger.rsvps.size === 0
  if (isFirst) await send(urls[0] ?? '', 'PATCH /api/schedule', SERVICE)
  const disturbance = stage.disturb(ledger)
  const stopLoad = startLoad({ ledger, again, sites: urls })
  if (isFirst || chance(WARM)) await untilUnderWay(ledger, stage.disturbed)
  await wait(below(LONGEST_LOAD_MS))
  const stopped = stopLoad()
  // Either both, so that no process repairs the database, or the sites alone, so that the other finds it as it is.
  if (chance(0.5)) await disturbance.end()
  await Promise.all(sites.map((site) => site.kill()))
  await stopped
  await disturbance.end()
  // Deletes the folders of the killed sites.
  await Promise.all(sites.map((site) => site.stop()))
  // A lost libSQL server may have stored what the site refuses.
  return [...ledger.findings, ...judge(ledger, await stage.read(), stage.sites === 1)]
}

/** A busy machine may take long. The wait is limited, because there may be no reply while the database is disturbed. */
async function untilUnderWay({ outcomes }: Ledger, disturbed: string): Promise<void> {
  const before = new Map(outcomes)
  const hasGrown = (name: string) => outcomes.get(name) !== before.get(name)
  for (let looks = 3000; looks > 0 && !(hasGrown('POST 201') && hasGrown(disturbed)); looks--) await wait(10)
}

/** Prints the first finding. Beside the database, which stays, its folder gets the ledger and all findings. */
function report({ folder }: Stage, ledger: Ledger, findings: Finding[]): void {
  writeFileSync(join(folder, 'ledger.json'), JSON.stringify(Array.from(ledger.rsvps.values())))
  const texts = findings.map(({ kind, text }) => `${kind}: ${text}`)
  writeFileSync(join(folder, 'findings.txt'), texts.join('\n\n'))
  console.log(`${texts.length} findings; ${texts[0]?.slice(0, PRINTED)}\nAll of it: ${folder}`)
}

/** A file of one site, whose lock another process takes and releases. */
function fileStage(): Stage {
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-chaos-'))
  const file = join(folder, 'rsvp.db')
  return {
    url: `file:${file}`,
    folder,
    sites: 1,
    disturbed: LOCK_TAKEN,
    disturb(ledger) {
      const pauseMs = pick(['0-20', '20-100', '100-400'])
      const held = holdLock(file, { holdMs: '10-40', pauseMs, onTaken: () => ledger.count(LOCK_TAKEN) })
      return { end: () => held.then((release) => release()) }
    },
    read: () => storedInFile(file),
  }
}

/** A libSQL server of two sites, which is killed and started again and again. */
async function serverStage(): Promise<Stage> {
  const { url, folder, kill, start } = await startLibsqlServer()
  return {
    url,
    folder,
    sites: 2,
    disturbed: SERVER_KILLED,
    disturb(ledger) {
      const over = new AbortController()
      const disturbed = killUntil(over.signal, ledger)
      return { end: () => Promise.all([over.abort(), disturbed]) }
    },
    read: () => storedOnServer(url),
    end: kill,
  }

  async function killUntil(over: AbortSignal, ledger: Ledger) {
    while (!over.aborted) {
      await wait(below(LONGEST_LOAD_MS))
      await kill()
      ledger.count(SERVER_KILLED)
      await wait(below(LONGEST_DOWN_MS))
      await start()
    }
  }
}
