// Makes backups while visitors send RSVPs, restores each and judges the result. Ends with exit code 1 if one is damaged
// or lacks an RSVP acknowledged before it. Options of `npm run lab -- backups`:
//
//   --rounds N  100 backups by default
//   --seed N    repeats the RSVPs of a run
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { localEnvironment, root } from '../../scripts/local-node.mjs'
import { run } from '../../scripts/run.mjs'
import { startBuiltServer } from '../../scripts/testing/built-server.mjs'
import { examine } from '../judge.ts'
import { Ledger } from '../ledger.ts'
import { startLoad } from '../load.ts'
import { Random } from '../random.ts'
import type { Options } from '../run.ts'

const command = join(root, 'cli', 'rsvp')
const TABLES = ['rsvps', 'family_members', 'volunteer_signups', 'features', 'volunteer_roles', 'settings']

/** `findings` are sentences; `ms` is the time of each backup as a person at a terminal sees it. */
type Outcome = { findings: string[]; acknowledged: number; ms: number[] }

export async function main({ rounds = 100, seed }: Options): Promise<void> {
  const { findings, acknowledged, ms } = await makeBackups(rounds, seed)
  const sorted = ms.toSorted((a, b) => a - b)
  console.log(`${ms.length} backups beside ${acknowledged} RSVPs, seed ${seed}: ${findings.length} findings`)
  console.log(`each took ${sorted[Math.floor(sorted.length / 2)]} ms [${sorted.at(0)} … ${sorted.at(-1)}]`)
  for (const finding of findings) console.log(finding)
  if (findings.length > 0) process.exitCode = 1
}

export async function makeBackups(count: number, seed: number): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-backups-'))
  const site = await startBuiltServer()
  const source = `file:${join(site.folder, 'rsvp.db')}`
  const ledger = new Ledger()
  const stopLoad = startLoad({ ledger, random: new Random(seed), sites: () => [site.url], onlyVisitors: true })
  const outcome: Outcome = { findings: [], acknowledged: 0, ms: [] }
  let earlier = new Set<string>()
  try {
    for (let number = 1; number <= count; number++) {
      const names = await tryOne(number)
      const missing = Array.from(earlier).filter((name) => !names.has(name))
      if (missing.length > 0) complain(number, `lacks ${missing.length} RSVPs of the previous one, e.g. ${missing[0]}`)
      earlier = names
      if (number % 10 === 0)
        console.log(`${number} backups, ${ledger.acknowledged} RSVPs, ${outcome.findings.length} findings`)
    }
  } finally {
    await stopLoad()
    await site.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  outcome.acknowledged = ledger.acknowledged
  outcome.findings.push(...ledger.findings.map(({ text }) => text))
  return outcome

  /** @returns the names in the backup. */
  async function tryOne(number: number): Promise<Set<string>> {
    const promised = ledger.snapshot()
    const began = performance.now()
    const made = await rsvp(source, 'backup', '--create-folder', '--out', folder, '--keep', '1', '--json')
    outcome.ms.push(Math.round(performance.now() - began))
    promised.allowSentSince(ledger)
    if (made.code !== 0) return complain(number, `was not made: ${made.output}`)

    const { file }: { file: string } = JSON.parse(made.output)
    const target = join(folder, String(number), 'rsvp.db')
    const restored = await rsvp(`file:${target}`, 'backup', 'restore', file, '--yes', '--quiet')
    if (restored.code !== 0) return complain(number, `was not restored: ${restored.output}`)
    for (const { kind, text } of await examine(target, promised)) complain(number, `${kind}: ${text}`)
    const rows = rowsOf(target)
    if (JSON.stringify(rows) !== JSON.stringify(rowsOf(file))) complain(number, 'was restored as something else')
    rmSync(join(folder, String(number)), { recursive: true })
    return new Set(rows.flatMap((row) => ('email' in row ? [String(row.name)] : [])))
  }

  function complain(number: number, text: string): Set<string> {
    outcome.findings.push(`backup ${number}: ${text}`)
    return new Set()
  }
}

function rsvp(url: string, ...words: string[]): Promise<{ code: number | null; output: string }> {
  return run(command, words, localEnvironment({ DATABASE_URL: url }))
}

function rowsOf(file: string): Record<string, unknown>[] {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return TABLES.flatMap((table) => database.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all())
  } finally {
    database.close()
  }
}
