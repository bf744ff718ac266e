import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Ledger } from '../ledger.ts'
import type { Random } from '../random.ts'
import { judgeCopy, openBackup, openExport } from './copies.ts'
import { csvOf } from './csv.ts'

const command = join(import.meta.dirname, '..', '..', 'cli', 'rsvp')
/** How probable each command is in a round. */
const COMMAND = 0.2
const DELETED_AT_MOST = 4
const IMPORTED_AT_MOST = 30

/** A running command. `ended` resolves once its result has been judged. */
export type Command = { kill: () => void; ended: Promise<void> }

/** A database for commands, and a folder for their files. */
type Place = { url: string; folder: string; ledger: Ledger }
type Ended = { code: number | null; stdout: string }

/** Starts no command or some of them, beside the load. */
export function startCommands(place: Place, random: Random): Command[] {
  const commands: Command[] = []
  if (random.chance(COMMAND)) commands.push(startExport(place))
  if (random.chance(COMMAND)) commands.push(startBackup(place))
  if (random.chance(COMMAND)) commands.push(...startDelete(place, random))
  if (random.chance(COMMAND)) commands.push(startImport(place, random))
  return commands
}

function startExport(place: Place): Command {
  const folder = mkdtempSync(join(place.folder, 'export-'))
  const promises = place.ledger.promises()
  return start(place, ['export', '--json', '--out', join(folder, 'rsvps.json')], ({ code }) => {
    place.ledger.findings.push(...judgeCopy(folder, code, openExport, promises, place.ledger))
    rmSync(folder, { recursive: true })
  })
}

function startBackup(place: Place): Command {
  const folder = mkdtempSync(join(place.folder, 'backup-'))
  const promises = place.ledger.promises()
  return start(place, ['backup', '--create-folder', '--out', folder], ({ code }) => {
    place.ledger.findings.push(...judgeCopy(folder, code, openBackup, promises, place.ledger))
    rmSync(folder, { recursive: true })
  })
}

/** Deletes some RSVPs that are stored, if there are any. */
function startDelete(place: Place, random: Random): Command[] {
  const { ledger } = place
  const chosen = Array.from({ length: DELETED_AT_MOST }, () => ledger.deletable(random))
  const ids = new Set(chosen.filter((id) => id !== undefined))
  if (ids.size === 0) return []
  for (const id of ids) ledger.askToDelete(id)
  const words = ['delete', '--yes', '--json', ...Array.from(ids, String)]
  const deletion = start(place, words, ({ code, stdout }) => {
    // With any other exit code it may have deleted them or not.
    if (code !== 0 && code !== 3) return
    const result: { deleted: number[]; notFound: number[] } = JSON.parse(stdout)
    for (const id of [...result.deleted, ...result.notFound]) ledger.deletions.set(id, true)
  })
  return [deletion]
}

function startImport(place: Place, random: Random): Command {
  const { ledger } = place
  const rsvps = Array.from({ length: 1 + random.below(IMPORTED_AT_MOST) }, () => ledger.newRsvp(random, { keyed: 0 }))
  for (const rsvp of rsvps) rsvp.times = 1
  const imported = { rsvps, acknowledged: false }
  ledger.imports.push(imported)
  const folder = mkdtempSync(join(place.folder, 'import-'))
  const file = join(folder, 'rsvps.csv')
  writeFileSync(file, csvOf(rsvps.map(({ body }) => body)))
  return start(place, ['import', file, '--raw', '--yes', '--quiet'], ({ code }) => {
    // With any other exit code it may have added all of them or none.
    imported.acknowledged = code === 0
    rmSync(folder, { recursive: true })
  })
}

/** Starts a command as cron would: with nothing in its environment but the address. */
function start({ url, ledger }: Place, words: string[], judge: (ended: Ended) => void): Command {
  const child = spawn(command, words, { cwd: '/', env: { DATABASE_URL: url }, stdio: ['ignore', 'pipe', 'ignore'] })
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text
  })
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, stdout })))
  const judged = ended.then((end) => {
    ledger.count(`${words[0]} ${end.code ?? 'killed'}`)
    judge(end)
  })
  return {
    kill: () => void child.kill('SIGKILL'),
    ended: judged.catch((error) => ledger.complain(`rsvp ${words[0]}: ${error}`)),
  }
}
