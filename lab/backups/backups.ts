import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { localEnvironment, root } from '../../scripts/local-node.mjs'
import { run } from '../../scripts/run.mjs'
import { startBuiltServer } from '../../scripts/testing/built-server.mjs'
import { Answers, startClients } from '../answers.ts'
import { findIn } from '../found.ts'

const command = join(root, 'cli', 'rsvp')
const TABLES = ['rsvps', 'family_members', 'volunteer_signups', 'features', 'volunteer_roles', 'settings']

/** Each finding is a sentence. `ms` of each backup, as long as somebody at a terminal waits for it. */
export type Outcome = { findings: string[]; acknowledged: number; ms: number[] }

/** Makes backups one after the other while people answer; brings each back, and compares what is there then. */
export async function makeBackups(count: number, tell: (line: string) => void): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-backups-'))
  const site = await startBuiltServer()
  const source = `file:${join(site.folder, 'rsvp.db')}`
  const answers = new Answers()
  const clients = startClients(site.url, answers)
  const outcome: Outcome = { findings: answers.refused, acknowledged: 0, ms: [] }
  let earlier = new Set<string>()
  try {
    for (let number = 1; number <= count; number++) {
      const names = await tryOne(number)
      const missing = Array.from(earlier).filter((name) => !names.has(name))
      if (missing.length > 0) complain(number, `${missing.length} answers were in the one before, as ${missing[0]}`)
      earlier = names
      if (number % 10 === 0)
        tell(`${number} backups, ${answers.acknowledged.size} answers, ${outcome.findings.length} findings`)
    }
  } finally {
    await clients.stop()
    await site.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  outcome.acknowledged = answers.acknowledged.size
  return outcome

  /** Answers the names that are in it. */
  async function tryOne(number: number): Promise<Set<string>> {
    const acknowledged = new Map(answers.acknowledged)
    const began = performance.now()
    const made = await rsvp(source, 'backup', '--out', folder, '--keep', '1', '--json')
    outcome.ms.push(Math.round(performance.now() - began))
    const sent = new Map(answers.sent)
    if (made.code !== 0) return complain(number, `was not made: ${made.output}`)

    const { file }: { file: string } = JSON.parse(made.output)
    const target = join(folder, String(number), 'rsvp.db')
    const restored = await rsvp(`file:${target}`, 'restore', file, '--yes', '--quiet')
    if (restored.code !== 0) return complain(number, `was not brought back: ${restored.output}`)
    const { lost, wrong } = await findIn(target, { sent, acknowledged })
    for (const text of [...lost, ...wrong]) complain(number, text)
    const rows = rowsOf(target)
    if (JSON.stringify(rows) !== JSON.stringify(rowsOf(file))) complain(number, 'came back as something else')
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
