import { spawn } from 'node:child_process'
import { chown, mkdir, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { CommandError, exitCodes } from '../../exit-code.ts'
import { makeSharedFolder } from '../files.ts'
import { layoutOf, program } from '../layout.ts'
import { type Release, runForSite, runRelease, sentencesIn } from '../release.ts'
import { type Account, accountIds, plainEnvironment, runTool, runToolAs } from '../system.ts'
import { assertRoom } from './assert-room.ts'
import { examineSite } from './examine-site.ts'

/** Long enough for a small server that is busy with other work. */
const START_TIMEOUT_MS = 60_000
/** The site itself ends within ten seconds. */
const STOP_TIMEOUT_MS = 20_000

/** The copy, another one that is kept before its tables are changed, and a journal. */
const COPIES = 3

export type Saved = { file: string; responses: number }

const backupOutput = z.object({ file: z.string(), responses: z.int() })
const statistics = z.object({ responses: z.object({ attending: z.int(), notAttending: z.int() }) })

/** Backs up a site with the release that it runs. */
export async function backUpSite(site: string, current: Release): Promise<Saved> {
  const { backups } = layoutOf(site)
  return backupOutput.parse(
    JSON.parse(await runForSite(current, site, ['backup', '--out', backups, '--no-copy', '--json'])),
  )
}

/**
 * Starts a release once on a copy of the database of a site, with the settings and as the account of that site.
 * @throws CommandError 'failed' that says what went wrong. The site itself goes on as it was.
 */
export async function tryOn(site: string, release: Release, { file, responses }: Saved): Promise<void> {
  const account = await accountIds(layoutOf(site).account)
  const place = await makeTrialFolder(site, account)
  const copy = join(place, 'rsvp.db')
  try {
    await assertRoom(place, (await stat(file)).size * COPIES)
    await runToolAs(account, 'cp', '--', file, copy)
    await runRelease(release, ['migrate', '--db', `file:${copy}`, '--json'], { account, timeoutMs: START_TIMEOUT_MS })
    const printed = await runRelease(release, ['stats', '--db', `file:${copy}`, '--json'], { account })
    const { attending, notAttending } = statistics.parse(JSON.parse(printed)).responses
    if (attending + notAttending !== responses) {
      throw new Error(`it finds ${attending + notAttending} responses where there are ${responses}`)
    }
    await startOnce(release, site, { place, copy, account })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError(
      exitCodes.failed,
      `${release.version} does not work with a copy of the database of ${site}: ${reason.replace(/\.$/, '')}. It was not put into use, and nothing was changed.`,
    )
  } finally {
    await removeTrial(site)
  }
}

/** A folder for an account alone, in one of root: nothing can take its place. What was there before is removed. */
export async function makeTrialFolder(site: string, { uid, gid }: Account): Promise<string> {
  await removeTrial(site)
  const place = trialFolder(site)
  await makeSharedFolder(program.trial)
  await mkdir(place, { mode: 0o700 })
  await chown(place, uid, gid)
  return place
}

/** Also what a trial leaves behind that was killed. The tool removes no more than is in the folder, whatever changes there. */
export async function removeTrial(site: string): Promise<void> {
  await runTool('rm', '--recursive', '--force', '--', trialFolder(site))
}

function trialFolder(site: string): string {
  return join(program.trial, site)
}

type Surroundings = { place: string; copy: string; account: Account }

async function startOnce({ folder }: Release, site: string, { place, copy, account }: Surroundings): Promise<void> {
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
  const started = spawn(join(folder, 'cli', 'rsvp'), ['serve', '--site', site], {
    ...account,
    cwd: place,
    env: { ...plainEnvironment(), ...own },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [started.stdout, started.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text))
  const ended = new Promise<number | null>((resolve) => started.once('close', resolve))
  const timer = setTimeout(() => started.kill('SIGKILL'), START_TIMEOUT_MS)
  try {
    const ready = new Promise<boolean>((resolve) => started.stdout.on('data', () => resolve(/ready at/.test(output))))
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
