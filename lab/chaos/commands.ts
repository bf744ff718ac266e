import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'csv-stringify/sync'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { root } from '../../scripts/local-node.mjs'
import { judge } from '../judge.ts'
import { keyOf, type Ledger, type RsvpBody, tokenOf } from '../ledger.ts'
import type { Random } from '../random.ts'
import { type Stored, type StoredRow, storedInFile } from '../stored.ts'

/** How probable each command is in a round. */
const COMMAND = 0.2
const IMPORTED_AT_MOST = 30
const TITLES = ['Name', 'Email', 'Phone', 'Message', 'Status', 'Family Members', 'Volunteer Roles', 'Date']
/** The roles of a new database, in order of their ids. */
const ROLES = ['Greeter', 'Usher', 'Music', "Children's Class", 'Audio and Video', 'Fellowship Meal']
const CAME_AT = '2025-01-05T14:00:00.000Z'

/** A running command. `ended` resolves once its result has been judged. */
export type Command = { kill: () => void; ended: Promise<void> }

type Place = { url: string; folder: string; ledger: Ledger }
type Read = (file: string) => Stored

export function startCommands(place: Place, random: Random): Command[] {
  const commands: Command[] = []
  if (random.chance(COMMAND)) commands.push(startExport(place))
  if (random.chance(COMMAND)) commands.push(startBackup(place))
  if (random.chance(COMMAND)) commands.push(startImport(place, random))
  return commands
}

function startExport(place: Place): Command {
  const folder = mkdtempSync(join(place.folder, 'export-'))
  return startCopy(place, folder, ['export', '--json', '--out', join(folder, 'rsvps.json')], readExport)
}

function startBackup(place: Place): Command {
  const folder = mkdtempSync(join(place.folder, 'backup-'))
  return startCopy(place, folder, ['backup', '--out', folder], storedInFile)
}

function startCopy(place: Place, folder: string, words: string[], read: Read): Command {
  const { ledger } = place
  const promised = ledger.snapshot()
  return start(place, words, (code) => {
    promised.allowSentSince(ledger)
    for (const text of judgeCopy(folder, code, read, promised))
      ledger.findings.push({ kind: 'bad copy', text: `after ${code ?? 'kill -9'}: ${text}` })
    rmSync(folder, { recursive: true })
  })
}

function startImport(place: Place, random: Random): Command {
  const { ledger } = place
  const rsvps = Array.from({ length: 1 + random.below(IMPORTED_AT_MOST) }, () => ledger.newRsvp(random, { keyed: 0 }))
  for (const rsvp of rsvps) rsvp.times = 1
  const imported = { rsvps, acknowledged: false }
  ledger.imports.push(imported)
  const folder = mkdtempSync(join(place.folder, 'import-'))
  const file = join(folder, 'rsvps.csv')
  writeFileSync(file, stringify([TITLES, ...rsvps.map(({ body }) => cellsOf(body))], { quoted: true }))
  return start(place, ['import', file, '--raw', '--yes', '--quiet'], (code) => {
    // With any other exit code it may have added all of them or none.
    imported.acknowledged = code === 0
    rmSync(folder, { recursive: true })
  })
}

/** Starts a command as cron would: with nothing in its environment but the address. */
function start({ url, ledger }: Place, words: string[], judge: (code: number | null) => void): Command {
  const child = spawn(join(root, 'cli', 'rsvp'), words, {
    cwd: '/',
    env: { DATABASE_URL: url },
    stdio: 'ignore',
  })
  const ended = once(child, 'close').then(([code]: (number | null)[]) => {
    ledger.count(`${words[0]} ${code ?? 'killed'}`)
    judge(code ?? null)
  })
  return {
    kill: () => void child.kill('SIGKILL'),
    ended: ended.catch((error) => ledger.complain(`rsvp ${words[0]}: ${error}`)),
  }
}

/**
 * Judges the folder into which a command has written its copy. After success it holds a copy with everything that was
 * promised before the command began; otherwise such a copy or nothing. Only after kill -9 may an unfinished file stay.
 */
function judgeCopy(folder: string, code: number | null, read: Read, promised: Ledger): string[] {
  const names = readdirSync(folder)
  const unfinished = names.filter((name) => name.startsWith('.'))
  const [finished] = names.filter((name) => !name.startsWith('.'))
  if (code !== null && unfinished.length > 0) return [`${unfinished} is still there`]
  if (finished === undefined) return code === 0 ? ['there is no copy'] : []
  try {
    const rules = { refusedIsNotStored: false, withoutDeleted: read === readExport }
    const findings = judge(promised, read(join(folder, finished)), rules)
    return findings.map(({ kind, text }) => `${kind}: ${text}`)
  } catch (error) {
    return [`${finished} cannot be read: ${error}`]
  }
}

/** The JSON of `rsvp export`, which lacks the keys and the deleted RSVPs. */
function readExport(file: string): Stored {
  const responses: StoredRsvp[] = JSON.parse(readFileSync(file, 'utf8'))
  const rows = responses.map((response): StoredRow => {
    const { id, name, email, phone, message, attending, familyMembers, volunteerSignups } = response
    return {
      ...{ id, key: keyOf(tokenOf(email)), name, email, phone, message, attending: Number(attending), deleted: 0 },
      familyMembers: familyMembers.map((member) => ({ ...member, attending: Number(member.attending) })),
      volunteerRoles: volunteerSignups.map(({ role }) => role.id).sort((a, b) => a - b),
    }
  })
  return { rows, deletions: [], complaints: [] }
}

/** A line of a file for `rsvp import`, made without our own code. */
function cellsOf({ name, email, phone, message, attending, familyMembers, volunteerRoles }: RsvpBody): string[] {
  const members = familyMembers.map((member) => {
    const remarks = [member.age ?? '', member.attending ? '' : 'not attending'].filter((text) => text !== '')
    return remarks.length === 0 ? member.name : `${member.name} (${remarks.join(', ')})`
  })
  const status = attending ? 'Attending' : 'Not Attending'
  const roles = volunteerRoles.map((id) => ROLES[id - 1] ?? '')
  return [name, email, phone ?? '', message ?? '', status, members.join('; '), roles.join('; '), CAME_AT]
}
