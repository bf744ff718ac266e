// Kills servers under load again and again. Ends with exit code 1 if an acknowledged RSVP is lost, half-written or
// stored twice. `npm run lab -- chaos` takes about 50 minutes, with these options:
//
//   --database file      kills the site, while another process takes the lock of its file and commands run beside it
//   --database server    kills the libSQL server of two sites, and sometimes a site; both kinds by default
//   --rounds N           1,000 of each by default
//   --seed N             from a finding: with --rounds 1 it repeats that round on a new database
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { table } from '../../scripts/documents/markdown.ts'
import { Failure } from '../../scripts/run.mjs'
import { judge } from '../judge.ts'
import { type Finding, kinds, type Ledger } from '../ledger.ts'
import { Random } from '../random.ts'
import type { Options } from '../run.ts'
import { fileStage, KILLED_WRITING, LOCK_TAKEN, SERVER_KILLED, type Stage, serverStage } from './stages.ts'

/** Each round but the first starts with what the kills before it have left. */
const ROUNDS_PER_DATABASE = 50
/** Characters of a finding. The rest is with the evidence, like the other findings of its round. */
const PRINTED = 500

const databases = ['file', 'server'] as const
type Run = { database: (typeof databases)[number]; rounds: number; seed: number }

type Figures = {
  rounds: number
  seconds: number
  findings: (Finding & { seed: number })[]
  /** Folders with the database, the ledger and the findings of a round. */
  evidence: string[]
  ledgers: Ledger[]
}

export async function main({ rounds = 1000, seed, database: asked }: Options): Promise<void> {
  const chosen = databases.filter((database) => asked === undefined || database === asked)
  if (chosen.length === 0) throw new Failure(`A database is a ${databases.join(' or a ')}.`)

  console.log(`seed ${seed}`)
  const all: Figures[] = []
  for (const database of chosen) {
    const figures = await playRounds({ database, rounds, seed })
    all.push(figures)
    printFindings(figures)
  }
  const columns = all.map(figuresOf)
  const lines = Array.from(columns[0]?.keys() ?? [], (label) => [
    label,
    ...columns.map((column) => (column.get(label) ?? 0).toLocaleString('en-US')),
  ])
  console.log(table(['', ...chosen.map((database) => `on a ${database}`)], lines))
}

export async function playRounds({ database, rounds, seed }: Run): Promise<Figures> {
  const figures: Figures = { rounds: 0, seconds: 0, findings: [], evidence: [], ledgers: [] }
  const started = performance.now()
  while (figures.rounds < rounds) {
    const stage = database === 'file' ? fileStage() : await serverStage()
    try {
      for (let left = ROUNDS_PER_DATABASE; left > 0 && figures.rounds < rounds; left--) {
        const roundSeed = seed + figures.rounds
        const findings = await playRound(stage, roundSeed)
        figures.rounds++
        figures.seconds = Math.round((performance.now() - started) / 1000)
        figures.findings.push(...findings.map((found) => ({ ...found, seed: roundSeed })))
        if (figures.rounds % ROUNDS_PER_DATABASE === 0)
          console.log(`${figures.rounds} rounds, ${figures.seconds} s, ${figures.findings.length} findings`)
        if (findings.length === 0) continue
        figures.evidence.push(keepEvidence(stage, findings))
        // Later rounds would find the same in this database again.
        break
      }
    } finally {
      figures.ledgers.push(stage.ledger)
      await stage.stop()
    }
  }
  return figures
}

async function playRound(stage: Stage, seed: number): Promise<Finding[]> {
  try {
    const stored = await stage.round(new Random(seed))
    return [...stage.ledger.findings, ...judge(stage.ledger, stored, stage)]
  } catch (error) {
    return [...stage.ledger.findings, { kind: 'failure', text: String(error) }]
  }
}

/** Writes the database, the ledger and the findings into a folder that is not deleted. */
function keepEvidence(stage: Stage, findings: Finding[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-chaos-evidence-'))
  stage.keep(folder)
  const { rsvps, deletions } = stage.ledger
  const lines = [...rsvps.values(), { deletions: Array.from(deletions) }].map((line) => JSON.stringify(line))
  writeFileSync(join(folder, 'ledger.jsonl'), lines.join('\n'))
  writeFileSync(join(folder, 'findings.txt'), findings.map(({ kind, text }) => `${kind}: ${text}`).join('\n\n'))
  return folder
}

function printFindings({ findings, evidence, ledgers }: Figures): void {
  const outcomes = outcomesOf(ledgers)
  const counts = Array.from(outcomes, ([kind, times]) => `${kind}: ${times.toLocaleString('en-US')}`)
  console.log(`\n${counts.sort().join(', ')}\n`)
  if (findings.length === 0) return
  process.exitCode = 1
  // The first finding of each round, by its seed.
  for (const [seed, ofRound] of Map.groupBy(findings, (one) => one.seed)) {
    const [first] = ofRound
    console.log(`--seed ${seed}: ${ofRound.length} findings; ${first?.kind}: ${first?.text.slice(0, PRINTED)}\n`)
  }
  console.log(`The ledger and the database of each: ${evidence.join(' ')}\n`)
}

/** How often each kind of request, and each other event, had each outcome. */
export function outcomesOf(ledgers: Ledger[]): Map<string, number> {
  const all = new Map<string, number>()
  for (const { outcomes } of ledgers) for (const [what, times] of outcomes) all.set(what, (all.get(what) ?? 0) + times)
  return all
}

function figuresOf({ rounds, seconds, findings, ledgers }: Figures): Map<string, number> {
  const outcomes = outcomesOf(ledgers)
  const imported = new Set(ledgers.flatMap(({ imports }) => imports.flatMap((file) => file.rsvps)))
  const rsvps = ledgers.flatMap((ledger) => Array.from(ledger.rsvps.values())).filter((rsvp) => !imported.has(rsvp))
  const acknowledged = rsvps.filter(({ ids }) => ids.length > 0)
  const others = rsvps.filter(({ ids }) => ids.length === 0)
  const count = (...names: string[]) => names.reduce((sum, name) => sum + (outcomes.get(name) ?? 0), 0)
  const deletions = ledgers.flatMap((ledger) => Array.from(ledger.deletions.values()))
  return new Map([
    ['rounds', rounds],
    [KILLED_WRITING, count(KILLED_WRITING)],
    [SERVER_KILLED, count(SERVER_KILLED)],
    [LOCK_TAKEN, count(LOCK_TAKEN)],
    ['acknowledged', acknowledged.length],
    ['acknowledged again, by its key', acknowledged.reduce((sum, { ids }) => sum + ids.length - 1, 0)],
    ['refused or without reply', others.length],
    ['of these stored', others.filter(({ storedAs }) => storedAs !== undefined).length],
    ['deletions acknowledged', deletions.filter((isGone) => isGone).length],
    ['changes acknowledged', count('PATCH 200', 'PATCH 204')],
    ['exports completed', count('export 0')],
    ['imports completed', count('import 0')],
    ['backups completed', count('backup 0')],
    ...kinds.map((kind): [string, number] => [kind, findings.filter((one) => one.kind === kind).length]),
    ['seconds', seconds],
  ])
}
