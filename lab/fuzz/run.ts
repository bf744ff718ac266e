// Sends generated input to the built site, and writes and reads generated CSV. Ends with exit code 1 where the site hangs,
// crashes or replies 5xx, or where the CSV changes a text. `npm run fuzz` takes about ten minutes, with these options:
//
//   --mode open|guarded  without or with a password; both by default
//   --rounds N           10 by default, each on its own server
//   --seed N             from a finding: with --rounds 1 it repeats that round
//   --database server    on a libSQL server instead of a file
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startBuiltServer } from '../../scripts/testing/built-server.mjs'
import { startLibsqlServer } from '../../scripts/testing/libsql-server.mjs'
import { newSeed } from '../random.ts'
import { fuzzCalendars } from './calendars.ts'
import { fuzzCsv } from './csv.ts'
import { fuzzSite, GUARDED } from './site.ts'
import { Tally } from './tally.ts'

// For each round.
const REQUESTS = 10_000
const MESSAGES = 1000
const CELLS = 20_000
const TEXTS = 20_000
/** Characters of a finding. The file has all of it. */
const PRINTED = 2000

const { values } = parseArgs({
  options: {
    mode: { type: 'string' },
    rounds: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(newSeed()) },
    database: { type: 'string', default: 'file' },
  },
})
const rounds = Number(values.rounds)
const seed = Number(values.seed)
const findings: string[] = []
const started = performance.now()

const modes = ['open', 'guarded'].filter((mode) => values.mode === undefined || values.mode === mode)
if (modes.length === 0 || !(rounds > 0) || !(seed >= 0))
  throw new Error('The options are at the top of lab/fuzz/run.ts.')
for (const mode of modes) await fuzzMode(mode)
await timed('csv and calendars', async () => {
  const tallies = { ...fuzzCsv({ seed, cells: CELLS * rounds }), ...fuzzCalendars({ seed, texts: TEXTS }) }
  for (const tally of Object.values(tallies))
    findings.push(...tally.findings.map((finding) => `csv or calendar, --seed ${seed}: ${finding}`))
  return tallies
})
const seconds = Math.round((performance.now() - started) / 1000)
print(`${findings.length} findings in ${seconds} s, seed ${seed}`)
if (findings.length > 0) reportFindings()

function fuzzMode(mode: string): Promise<void> {
  return timed(mode, async () => {
    const total = { calls: new Tally(), 'raw messages': new Tally() }
    for (let round = 0; round < rounds; round++) {
      // The seed of a lane is that of its round plus its number.
      const found = await fuzzServer(mode, seed + round * 100)
      total.calls.add(found.calls)
      total['raw messages'].add(found.messages)
      findings.push(...found.findings.map((finding) => `${mode}, --seed ${seed + round * 100}: ${finding}`))
    }
    return total
  })
}

async function fuzzServer(mode: string, roundSeed: number) {
  const database = values.database === 'server' ? await startLibsqlServer() : undefined
  const site = await startBuiltServer({
    ADMIN_PASSWORD: '',
    ...(mode === 'guarded' && GUARDED),
    ...(database !== undefined && { DATABASE_URL: database.url }),
  })
  try {
    const guarded = mode === 'guarded'
    return await fuzzSite(site, { seed: roundSeed, requests: REQUESTS, messages: MESSAGES, guarded })
  } finally {
    await site.stop()
    await database?.stop()
  }
}

async function timed(name: string, work: () => Promise<Record<string, Tally>>): Promise<void> {
  const began = performance.now()
  const tallies = await work()
  print(`${name}, ${Math.round((performance.now() - began) / 1000)} s`)
  for (const [what, { total, kinds, slowestMs, late }] of Object.entries(tallies)) {
    const counts = Array.from(kinds, ([kind, times]) => `${times.toLocaleString('en-US')} ${kind}`).sort()
    const slowest = slowestMs > 0 ? `; slowest ${Math.round(slowestMs)} ms, ${late} sent again` : ''
    print(`  ${what.padEnd(13)}${total.toLocaleString('en-US').padStart(8)}: ${counts.join(', ')}${slowest}`)
  }
}

function reportFindings(): void {
  process.exitCode = 1
  const file = join(mkdtempSync(join(tmpdir(), 'rsvp-fuzz-')), 'findings.txt')
  writeFileSync(file, findings.join('\n\n'))
  for (const finding of findings) print(`\n${finding.slice(0, PRINTED)}`)
  print(`\nAll findings in full: ${file}`)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
