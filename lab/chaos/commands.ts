import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { judgeCopy, openBackup, openExport } from './copies.ts'
import { finding } from './finding.ts'
import type { Ledger } from './ledger.ts'
import type { Random } from './random.ts'

const command = join(import.meta.dirname, '..', '..', 'cli', 'rsvp')
const COMMANDS = 0.2
const DELETED_AT_MOST = 4

/** A command under way. `ended` once what it did has been looked at. */
export type Command = { kill: () => void; ended: Promise<void> }

/** A database that commands work on, and a folder for what they make. */
type Place = { url: string; folder: string; ledger: Ledger }
type Ended = { code: number | null; stdout: string }

/** Now and then a command or two beside the load. */
export function startCommands(place: Place, random: Random): Command[] {
  const commands: Command[] = []
  if (random.chance(COMMANDS)) commands.push(startExport(place))
  if (random.chance(COMMANDS)) commands.push(startBackup(place))
  if (random.chance(COMMANDS)) commands.push(...startDelete(place, random))
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
  return start(place, ['backup', '--out', folder], ({ code }) => {
    place.ledger.findings.push(...judgeCopy(folder, code, openBackup, promises, place.ledger))
    rmSync(folder, { recursive: true })
  })
}

/** Of some answers that are stored; none while there are none. */
function startDelete(place: Place, random: Random): Command[] {
  const { ledger } = place
  const chosen = Array.from({ length: DELETED_AT_MOST }, () => ledger.deletable(random))
  const ids = new Set(chosen.filter((id) => id !== undefined))
  if (ids.size === 0) return []
  for (const id of ids) ledger.askToDelete(id)
  const words = ['delete', '--yes', '--json', ...Array.from(ids, String)]
  const deletion = start(place, words, ({ code, stdout }) => {
    // Ended otherwise, it may have deleted them or not.
    if (code !== 0 && code !== 3) return
    const told: { deleted: number[]; notFound: number[] } = JSON.parse(stdout)
    for (const id of [...told.deleted, ...told.notFound]) ledger.deletions.set(id, true)
  })
  return [deletion]
}

/** As cron would: with nothing in its surroundings but the address. */
function start({ url, ledger }: Place, words: string[], look: (ended: Ended) => void): Command {
  const child = spawn(command, words, { cwd: '/', env: { DATABASE_URL: url }, stdio: ['ignore', 'pipe', 'ignore'] })
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text
  })
  const ended = new Promise<Ended>((resolve) => child.once('close', (code) => resolve({ code, stdout })))
  const looked = ended.then((end) => {
    ledger.count(`${words[0]} ${end.code ?? 'killed'}`)
    look(end)
  })
  return {
    kill: () => void child.kill('SIGKILL'),
    ended: looked.catch((error) => void ledger.findings.push(finding('failure', `rsvp ${words[0]}: ${error}`))),
  }
}
