// Kills servers under load again and again. Ends with exit code 1 where an acknowledged RSVP is lost, half-written or
// stored twice. `npm run chaos` takes about 50 minutes, with these options:
//
//   --database file      kills the site, while another process takes the lock of its file and commands run beside it
//   --database server    kills the libSQL server of two sites, and sometimes a site; both kinds by default
//   --rounds N           1,000 of each by default
//   --seed N             from a finding: with --rounds 1 it plays that round again, on a new database
import { parseArgs } from 'node:util'
import { newSeed } from '../random.ts'
import type { Figures } from './figures.ts'
import { databases, playRounds } from './rounds.ts'

const REPORTED_ROUNDS = 50
/** Characters of a finding. The rest is with the evidence, like the other findings of its round. */
const PRINTED = 500
/** Widths of the columns. */
const LABEL = 30
const NUMBER = 11

const { values } = parseArgs({
  options: {
    database: { type: 'string' },
    rounds: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(newSeed()) },
  },
})
const rounds = Number(values.rounds)
const seed = Number(values.seed)
const chosen = databases.filter((database) => values.database === undefined || values.database === database)
if (chosen.length === 0 || !(rounds > 0) || !(seed >= 0))
  throw new Error('The options are at the top of lab/chaos/run.ts.')

print(`seed ${seed}`)
const columns = new Map<string, Figures>()
for (const database of chosen) {
  const figures = await playRounds({ database, rounds, seed, report })
  columns.set(`on a ${database}`, figures)
  printFindings(figures)
}
printFigures()

function report({ rounds: done, seconds, findings }: Figures): void {
  if (done % REPORTED_ROUNDS === 0) print(`${done} rounds, ${Math.round(seconds)} s, ${findings.length} findings`)
}

function printFindings({ findings, evidence, outcomes }: Figures): void {
  const counts = Array.from(outcomes, ([kind, times]) => `${kind}: ${times.toLocaleString('en-US')}`)
  print(`\n${counts.sort().join(', ')}\n`)
  if (findings.length === 0) return
  process.exitCode = 1
  // The first finding of each round, by its seed.
  for (const [, first] of Map.groupBy(findings, (one) => one.seed)) {
    const [{ kind, text, seed: of } = { kind: '', text: '', seed: 0 }] = first
    print(`--seed ${of}: ${first.length} findings; ${kind}: ${text.slice(0, PRINTED)}\n`)
  }
  print(`The ledger and the database of each: ${evidence.join(' ')}\n`)
}

function printFigures(): void {
  const names = Array.from(columns.keys())
  const figures = Array.from(columns.values(), (one) => one.rows().map(([, number]) => number.toLocaleString('en-US')))
  const [labels = []] = Array.from(columns.values(), (one) => one.rows().map(([label]) => label))
  row(['', ...names])
  row(['-'.repeat(LABEL), ...names.map(() => '-'.repeat(NUMBER))])
  for (const [line, label] of labels.entries()) row([label, ...figures.map((column) => column[line] ?? '')])
}

function row([label = '', ...numbers]: string[]): void {
  print(`| ${[label.padEnd(LABEL), ...numbers.map((number) => number.padStart(NUMBER))].join(' | ')} |`)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
