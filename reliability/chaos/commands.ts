import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import type { Random } from '../random.ts'
import { type Finding, finding } from './finding.ts'
import type { Ledger, Submission } from './ledger.ts'

const command = join(import.meta.dirname, '..', '..', 'cli', 'rsvp')
const COMMANDS = 0.25
const DELETED_AT_MOST = 4

/** Now and then a command or two beside the load. */
export function startCommands(place: Place, random: Random): Command[] {
  const commands: Command[] = []
  if (random.chance(COMMANDS)) commands.push(startExport(place))
  const chosen = Array.from({ length: random.chance(COMMANDS) ? DELETED_AT_MOST : 0 }, () =>
    place.ledger.deletable(random),
  )
  const ids = new Set(chosen.filter((id) => id !== undefined))
  if (ids.size > 0) commands.push(startDelete(place, Array.from(ids)))
  return commands
}

/** A command under way. `ended` once what it said has been written down and looked at. */
export type Command = { kill: () => void; ended: Promise<void> }
type Place = { url: string; folder: string; ledger: Ledger }

/** `rsvp delete` of some answers that are stored. */
function startDelete({ url, ledger }: Place, ids: number[]): Command {
  for (const id of ids) ledger.askToDelete(id)
  const process = start(url, ['delete', '--yes', '--json', ...ids.map(String)])
  const ended = process.ended.then(({ code, stdout }) => {
    ledger.count(`delete ${code ?? 'killed'}`)
    if (code !== 0 && code !== 3) return
    const { deleted, notFound }: { deleted: number[]; notFound: number[] } = JSON.parse(stdout)
    for (const id of [...deleted, ...notFound]) ledger.deletions.set(id, true)
  })
  return { kill: process.kill, ended: ended.catch((error) => complain(ledger, error)) }
}

/** `rsvp export` into a new file, which has to be whole or not to be there. */
function startExport({ url, folder, ledger }: Place): Command {
  const place = mkdtempSync(join(folder, 'export-'))
  const file = join(place, 'rsvps.json')
  const wanted = ledger.acknowledged()
  const process = start(url, ['export', '--json', '--out', file])
  const ended = process.ended.then(({ code }) => {
    ledger.count(`export ${code ?? 'killed'}`)
    ledger.findings.push(...judgeExport(file, code, wanted, ledger))
    rmSync(place, { recursive: true })
  })
  return { kill: process.kill, ended: ended.catch((error) => complain(ledger, error)) }
}

function complain(ledger: Ledger, error: unknown): void {
  ledger.findings.push(finding('failure', `a command: ${error}`))
}

function judgeExport(file: string, code: number | null, wanted: Submission[], ledger: Ledger): Finding[] {
  const findings: Finding[] = []
  const complain = (text: string) => void findings.push(finding('bad export', text))
  // Nobody but itself can take away what it has not finished, if it gets the chance.
  const unfinished = readdirSync(dirname(file)).filter((name) => name !== basename(file))
  if (code !== null && unfinished.length > 0) complain(`after ${code} there still is ${unfinished}`)
  if (!existsSync(file)) {
    if (code === 0) complain('it said that it was done, and there is no file')
    return findings
  }
  const exported = read(file)
  if (exported === undefined) complain(`after ${code ?? 'kill -9'} it is no JSON: ${readFileSync(file, 'utf8')}`)
  if (exported === undefined || (code !== 0 && code !== null)) return findings
  const byId = new Map(exported.map((response) => [response.id, response]))
  for (const submission of wanted) {
    const [id] = submission.ids
    if (id === undefined || ledger.deletions.has(id)) continue
    const response = byId.get(id)
    if (response === undefined) complain(`it has no ${id}, which was acknowledged before it began`)
    else if (!isWhole(submission, response)) complain(`${JSON.stringify(response)} of ${JSON.stringify(submission)}`)
  }
  return findings
}

function read(file: string): StoredRsvp[] | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

function isWhole({ body }: Submission, response: StoredRsvp): boolean {
  const { name, email, message, attending, familyMembers } = response
  const volunteerRoles = response.volunteerSignups.map(({ role }) => role.id)
  const found = { name, email, message, attending, familyMembers, volunteerRoles }
  return JSON.stringify(found) === JSON.stringify(body)
}

/** As cron would: with nothing in its surroundings but the address. */
function start(url: string, words: string[]) {
  const child: ChildProcess = spawn(command, words, { cwd: '/', env: { DATABASE_URL: url }, stdio: 'pipe' })
  let stdout = ''
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    stdout += text
  })
  child.stderr?.resume()
  child.stdin?.end()
  const ended = new Promise<{ code: number | null; stdout: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, stdout })),
  )
  return { kill: () => void child.kill('SIGKILL'), ended }
}
