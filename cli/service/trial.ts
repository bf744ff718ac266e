import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, stat } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import * as z from 'zod/mini'
import { ownAddress } from '#db/config/places.ts'
import { overridable } from '#db/test-override.ts'
import { failure } from '../exit-code.ts'
import { commandIn, plainEnvironment, type Release, runAt, sentencesIn } from './release.ts'
import { accountOf, configOf, layoutOf, program, runningProcess } from './site.ts'
import { makeSharedFolder, runTool, runToolAs } from './system.ts'
import { assertRoom } from './take-release.ts'

/** Long enough for a small server that is busy with other work. */
const START_TIMEOUT_MS = 60_000
/** Including its end, for which a site takes at most ten seconds. */
const RUN_TIMEOUT_MS = START_TIMEOUT_MS + 20_000
/** As long as a health reply may take while a libSQL server is slow. */
const REPLY_TIMEOUT_MS = 10_000
/** The copy, another one that is kept before its tables are migrated, and a journal. */
const COPIES = 3
const ASSETS = /\/assets\/[\w.-]+\.(?:css|js)/g

const backupOutput = z.object({ file: z.string(), responses: z.int() })
const statistics = z.object({ responses: z.object({ attending: z.int(), notAttending: z.int() }) })
const problem = z.object({ detail: z.string() })

export type Saved = z.infer<typeof backupOutput>

/** How long a site must stay well after an update: most faults show soon after the start. */
const WATCH_MS = overridable('UPDATE_WATCH_MS', 5_000)
const POLL_INTERVAL_MS = 500

/** In a folder of root, so that the account of a site cannot replace it. */
export function trialFolder(site: string): string {
  return join(program.trial, site)
}

/** @param release the one that the site runs. */
export async function backUpSite(site: string, release: Release): Promise<Saved> {
  // Not --out, which refuses a missing folder.
  const env = { BACKUP_DIR: layoutOf(site).backups }
  const printed = await runAt(site, release, ['backup', '--json'], { env })
  return backupOutput.parse(JSON.parse(printed))
}

/**
 * Starts a release once on a copy of a site's database, with the site's settings and account. The site keeps running.
 * @throws CommandError 'failed' that says what went wrong.
 */
export async function tryRelease(site: string, release: Release, { file, responses }: Saved): Promise<void> {
  const place = trialFolder(site)
  const copy = join(place, 'rsvp.db')
  await makeTrialFolder(site)
  try {
    await assertRoom(place, (await stat(file)).size * COPIES)
    await runToolAs(await accountOf(site), 'cp', '--', file, copy)
    await runAt(site, release, ['migrate', '--json'], { copy, timeoutMs: START_TIMEOUT_MS })
    const printed = await runAt(site, release, ['stats', '--week', 'all', '--json'], { copy })
    const { attending, notAttending } = statistics.parse(JSON.parse(printed)).responses
    if (attending + notAttending !== responses) {
      throw new Error(`it finds ${attending + notAttending} responses instead of ${responses}`)
    }
    await startOnce(site, release, copy)
  } catch (error) {
    const what = `${release.version} does not work with a copy of the database of ${site}: ${reasonOf(error)}.`
    throw failure(`${what} It was not put into use, and nothing was changed.`)
  } finally {
    await removeTrial(site)
  }
}

/** The message of an error, as the end of a sentence. */
export function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
}

/** An empty folder that only the account of the site can use. */
export async function makeTrialFolder(site: string): Promise<void> {
  const place = trialFolder(site)
  const { uid, gid } = await accountOf(site)
  await removeTrial(site)
  await makeSharedFolder(dirname(place))
  await mkdir(place, { mode: 0o700 })
  await chown(place, uid, gid)
}

/** Also after a trial that was killed. The tool follows no link, whatever changes in the folder meanwhile. */
export async function removeTrial(site: string): Promise<void> {
  await runTool('rm', '-rf', '--', trialFolder(site))
}

/**
 * Watches a site that has just been started with a release.
 * @throws Error that says what is wrong, as the end of a sentence.
 */
export async function assertWell(site: string, { version }: Release): Promise<void> {
  const { host, port } = await configOf(site)
  const first = await runningProcess(site)
  if (first.version !== version) throw new Error(`it runs ${first.version ?? 'nothing'}`)
  for (const end = Date.now() + WATCH_MS; Date.now() < end; await delay(POLL_INTERVAL_MS)) {
    await examineSite(ownAddress(host, port))
    const now = await runningProcess(site)
    if (now.id !== first.id) throw new Error('it ended after its start')
  }
}

async function startOnce(site: string, { folder }: Release, copy: string): Promise<void> {
  const port = await freePort()
  // Settings that are empty count as not set: the copy is not backed up, and no other database is used.
  const own = {
    DATABASE_URL: `file:${copy}`,
    DATABASE_AUTH_TOKEN: '',
    BACKUP_DIR: '',
    HOST: '127.0.0.1',
    PORT: `${port}`,
  }
  const started = spawn(commandIn(folder), ['serve', '--site', site], {
    ...(await accountOf(site)),
    cwd: dirname(copy),
    env: { ...plainEnvironment(), ...own },
    // Ctrl+C must reach only this command.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: RUN_TIMEOUT_MS,
    killSignal: 'SIGKILL',
  })
  let output = ''
  for (const stream of [started.stdout, started.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text))
  const ended = new Promise<number | null>((resolve) => started.once('close', resolve))
  try {
    const ready = new Promise((resolve) => started.stdout.on('data', () => /ready at/.test(output) && resolve(true)))
    await Promise.race([ready, ended])
    if (!/ready at/.test(output)) throw new Error(sentencesIn(output) || 'it does not start')
    await examineSite(`http://127.0.0.1:${port}`)
    started.kill('SIGTERM')
    const code = await ended
    if (code !== 0) throw new Error(`it ended with ${code} when told to stop`)
  } finally {
    started.kill('SIGKILL')
    await ended
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  await once(server.close(), 'close')
  return port
}

/**
 * Requests what every visitor needs: a site that can store something, its page, and each script and style of that page.
 * @param address e.g. `http://127.0.0.1:4321`
 * @throws Error that says what is wrong, as the end of a sentence.
 */
async function examineSite(address: string): Promise<void> {
  await request(`${address}/api/health`)
  const page = await request(`${address}/share`)
  if (!page.trimEnd().endsWith('</html>')) throw new Error('/share ends in the middle')
  const assets = Array.from(new Set(page.match(ASSETS)))
  if (!assets.some((path) => path.endsWith('.css'))) throw new Error('/share names no styles')
  for (const path of assets) await request(address + path)
}

/** On its own connection: a site that stops would wait for one that stays open. */
async function request(address: string): Promise<string> {
  const path = new URL(address).pathname
  const options = { headers: { connection: 'close' }, signal: AbortSignal.timeout(REPLY_TIMEOUT_MS) }
  const reply = await fetch(address, options).catch(() => {
    throw new Error(`${path} gets no reply`)
  })
  const text = await reply.text()
  if (reply.ok) return text
  let reason = ''
  try {
    reason = `, ${problem.parse(JSON.parse(text)).detail.replaceAll('\n', ' ')}`
  } catch {
    // A page, e.g. of a proxy.
  }
  throw new Error(`${path} replies ${reply.status}${reason}`)
}
