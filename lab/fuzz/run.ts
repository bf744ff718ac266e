// Sends generated input to the built site, and writes and reads generated CSV and calendars. Ends with exit code 1 if
// the site hangs, crashes or replies 5xx, or if a file changes a text. `npm run lab -- fuzz` takes about ten minutes:
//
//   --mode open|guarded  without or with a password; both by default
//   --rounds N           10 by default, each on its own server
//   --seed N             from a finding: with --rounds 1 it repeats that round
//   --database server    on a libSQL server instead of a file
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fuzzCalendars } from '#db/calendar/ics-properties-fixtures.ts'
import { fuzzCsv } from '#db/rsvp/csv-properties-fixtures.ts'
import { table } from '../../scripts/documents/markdown.ts'
import { Failure } from '../../scripts/run.mjs'
import { startBuiltServer } from '../../scripts/testing/built-server.mjs'
import { startLibsqlServer } from '../../scripts/testing/libsql-server.mjs'
import type { Options } from '../run.ts'
import { fuzzSite, GUARDED } from './requests.ts'
import type { Tally } from './tally.ts'

// For each round.
const REQUESTS = 10_000
const MESSAGES = 1000
const CELLS = 20_000
const TEXTS = 20_000
/** Characters of a finding. The file has all of it. */
const PRINTED = 2000

export async function main({ rounds = 10, seed, database, mode: asked }: Options): Promise<void> {
  const modes = ['open', 'guarded'].filter((mode) => asked === undefined || mode === asked)
  if (modes.length === 0) throw new Failure('A mode is open or guarded.')

  const lines: string[][] = []
  const findings: string[] = []
  for (const mode of modes) {
    for (let round = 0; round < rounds; round++) {
      // The seed of a lane is that of its round plus its number.
      const roundSeed = seed + round * 100
      const found = await fuzzServer(mode, database, roundSeed)
      lines.push(lineOf(`${mode}, calls`, roundSeed, found.calls), lineOf(`${mode}, raw`, roundSeed, found.messages))
      findings.push(...found.findings.map((finding) => `${mode}, --seed ${roundSeed}: ${finding}`))
    }
  }
  const files = { ...fuzzCsv({ seed, cells: CELLS * rounds }), ...fuzzCalendars({ seed, texts: TEXTS }) }
  for (const [name, tally] of Object.entries(files)) {
    lines.push(lineOf(name, seed, tally))
    findings.push(...tally.findings.map((finding) => `${name}, --seed ${seed}: ${finding}`))
  }
  console.log(table(['what', 'seed', 'how often', 'slowest'], lines))
  console.log(`${findings.length} findings, seed ${seed}`)
  if (findings.length > 0) report(findings)
}

async function fuzzServer(mode: string, kind: string | undefined, seed: number) {
  await using database = kind === 'server' ? await startLibsqlServer() : undefined
  const guarded = mode === 'guarded'
  const variables = { ...(guarded && GUARDED), ...(database !== undefined && { DATABASE_URL: database.url }) }
  await using site = await startBuiltServer(variables)
  return await fuzzSite(site, { seed, requests: REQUESTS, messages: MESSAGES, guarded })
}

function lineOf(name: string, seed: number, { kinds, slowestMs }: Tally): string[] {
  const counts = Array.from(kinds, ([kind, times]) => `${times.toLocaleString('en-US')} ${kind}`).sort()
  return [name, String(seed), counts.join(', '), slowestMs === 0 ? '' : `${Math.round(slowestMs)} ms`]
}

function report(findings: string[]): void {
  process.exitCode = 1
  const file = join(mkdtempSync(join(tmpdir(), 'rsvp-fuzz-')), 'findings.txt')
  writeFileSync(file, findings.join('\n\n'))
  for (const finding of findings) console.log(`\n${finding.slice(0, PRINTED)}`)
  console.log(`\nAll findings in full: ${file}`)
}
