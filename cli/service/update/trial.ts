import { spawn } from 'node:child_process'
import { chown, mkdir, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import * as z from 'zod/mini'
import { CommandError, exitCodes } from '../../exit-code.ts'
import { makeSharedFolder } from '../files.ts'
import { sentencesIn } from '../run-program.ts'
import { runCommand, type SiteCommand } from '../site-command.ts'
import { type Account, plainEnvironment, runTool, runToolAs } from '../system.ts'
import { assertRoom } from './assert-room.ts'
import { examineSite } from './examine-site.ts'

/** Long enough for a small server that is busy with other work. */
const START_TIMEOUT_MS = 60_000
/** The site itself ends within ten seconds. */
const STOP_TIMEOUT_MS = 20_000

/** The copy, another one that is kept before its tables are changed, and a journal. */
const COPIES = 3

export type Saved = { file: string; responses: number }

type Trial = {
  version: string
  /** Its command, which does its work as the account of the site. */
  command: SiteCommand
  /** Whose database it is, as the end of a sentence. */
  database: string
  /** The folder for the copy, which is made for it and removed. */
  place: string
}

const backupOutput = z.object({ file: z.string(), responses: z.int() })
const statistics = z.object({ responses: z.object({ attending: z.int(), notAttending: z.int() }) })

/** Backs up a site into a folder, with the version that it runs. */
export async function backUpSite(command: SiteCommand, folder: string): Promise<Saved> {
  // Not --out, which takes no folder that is missing.
  const into = { ...command, env: { ...command.env, BACKUP_DIR: folder } }
  const printed = await runCommand(into, ['backup', '--no-copy', '--json'])
  return backupOutput.parse(JSON.parse(printed))
}

/**
 * Starts a version once on a copy of the database of a site, with the settings and as the account of that site.
 * @throws CommandError 'failed' that says what went wrong. The site itself goes on as it was.
 */
export async function tryOn({ version, command, database, place }: Trial, { file, responses }: Saved): Promise<void> {
  const { account } = command
  const copy = join(place, 'rsvp.db')
  const atCopy = { ...command, site: ['--db', `file:${copy}`] }
  await makeTrialFolder(place, account)
  try {
    await assertRoom(place, (await stat(file)).size * COPIES)
    await runToolAs(account ?? {}, 'cp', '--', file, copy)
    await runCommand(atCopy, ['migrate', '--json'], START_TIMEOUT_MS)
    const printed = await runCommand(atCopy, ['stats', '--week', 'all', '--json'])
    const { attending, notAttending } = statistics.parse(JSON.parse(printed)).responses
    if (attending + notAttending !== responses) {
      throw new Error(`it finds ${attending + notAttending} responses where there are ${responses}`)
    }
    await startOnce(command, place, copy)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError(
      exitCodes.failed,
      `${version} does not work with a copy of ${database}: ${reason.replace(/\.$/, '')}.`,
    )
  } finally {
    await removeTrial(place)
  }
}

/** A folder for an account alone. What was there before is removed. */
export async function makeTrialFolder(place: string, account: Account | undefined): Promise<void> {
  await removeTrial(place)
  await makeSharedFolder(dirname(place))
  await mkdir(place, { mode: 0o700 })
  if (account !== undefined) await chown(place, account.uid, account.gid)
}

/** Also what a trial leaves behind that was killed. The tool removes no more than is in the folder, whatever changes there. */
export async function removeTrial(place: string): Promise<void> {
  await runTool('rm', '-rf', '--', place)
}

async function startOnce(command: SiteCommand, place: string, copy: string): Promise<void> {
  const port = await freePort()
  // Settings that are empty count as not set: the copy is not backed up, and no other database is used.
  const own = {
    DATABASE_URL: `file:${copy}`,
    DATABASE_AUTH_TOKEN: '',
    BACKUP_DIR: '',
    BACKUP_COPY_TO: '',
    HOST: '127.0.0.1',
    PORT: `${port}`,
  }
  const [program, ...before] = command.program
  const started = spawn(program, [...before, 'serve', ...command.site], {
    ...command.account,
    cwd: place,
    env: { ...plainEnvironment(), ...command.env, ...own },
    // Ctrl+C is for this command alone.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [started.stdout, started.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text))
  const ended = new Promise<number | null>((resolve) => started.once('close', resolve))
  const timer = setTimeout(() => started.kill('SIGKILL'), START_TIMEOUT_MS)
  try {
    const ready = new Promise<boolean>((resolve) =>
      started.stdout.on('data', () => /ready at/.test(output) && resolve(true)),
    )
    if (!(await Promise.race([ready, ended.then(() => false)]))) {
      throw new Error(sentencesIn(output) || 'it does not start')
    }
    await examineSite(`http://127.0.0.1:${port}`)
    const killing = setTimeout(() => started.kill('SIGKILL'), STOP_TIMEOUT_MS)
    started.kill('SIGTERM')
    const code = await ended
    clearTimeout(killing)
    if (code !== 0) throw new Error(`it ended with ${code} when it was to stop`)
  } finally {
    clearTimeout(timer)
    started.kill('SIGKILL')
    await ended
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const at = server.address()
      server.close(() => resolve(typeof at === 'object' && at !== null ? at.port : 0))
    })
  })
}
