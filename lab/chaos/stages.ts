import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { root } from '../../scripts/local-node.mjs'
import { startBuiltServer } from '../../scripts/testing/built-server.mjs'
import { startLibsqlServer } from '../../scripts/testing/libsql-server.mjs'
import { Ledger, type SentRsvp } from '../ledger.ts'
import { setServiceDay, startLoad } from '../load.ts'
import type { Random } from '../random.ts'
import { copyDatabase, hasJournal, type Stored, storedInFile, storedOnServer } from '../stored.ts'
import { startCommands } from './commands.ts'

/** Counted if a kill came between the beginning and the end of a transaction. */
export const KILLED_WRITING = 'killed while writing'
/** Counted if the database is a server. */
export const SERVER_KILLED = 'libSQL server killed'
/** Counted if another process held the lock of the database. */
export const LOCK_TAKEN = 'lock taken by another process'

const LONGEST_LOAD_MS = 400
/** Some rounds are longer, so that there is more to lose; so are those with a command, which takes a while to start. */
const LONG = 0.2
const LONGEST_LONG_LOAD_MS = 1500
/** The share of rounds that wait for the first RSVP and the first lock before their time begins. */
const WARM = 0.75
const CRASHES_AT_MOST = 3
const LONGEST_DOWN_MS = 150
const SITE_KILLED = 0.25
const COMMANDS_KILLED = 0.3

/** A database on which rounds are played, each on what the round before has left. */
export type Stage = {
  ledger: Ledger
  again: SentRsvp[]
  refusedIsNotStored: boolean
  /** Puts load on the site, kills something, and returns what is stored then. */
  round(random: Random): Promise<Stored>
  /** Copies the database into a folder, as evidence. */
  keep(folder: string): void
  stop(): Promise<void>
}
type Site = Awaited<ReturnType<typeof startBuiltServer>>

/** A site on a file, killed in each round while another process takes and releases the lock. */
export function fileStage(): Stage {
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-chaos-'))
  const file = join(folder, 'rsvp.db')
  const url = `file:${file}`
  const ledger = new Ledger()
  const again: SentRsvp[] = []
  return {
    ledger,
    again,
    refusedIsNotStored: true,
    round,
    keep: (target) => copyDatabase(file, target),
    stop: async () => rmSync(folder, { recursive: true, force: true }),
  }

  async function round(random: Random): Promise<Stored> {
    const isNew = !existsSync(file)
    const site = await startBuiltServer({ DATABASE_URL: url })
    if (isNew) await setServiceDay(site.url)
    const holder = holdLock(file, ledger, random)
    const commands = startCommands({ url, folder, ledger }, random)
    const stopLoad = startLoad({ ledger, again, random: random.fork(), sites: () => [site.url] })
    if (random.chance(WARM)) await untilUnderWay()
    const isLong = commands.length > 0 || random.chance(LONG)
    await wait(random.below(isLong ? LONGEST_LONG_LOAD_MS : LONGEST_LOAD_MS))
    const stopped = stopLoad()
    // Either all, so that no process repairs the database, or the site alone, so that the others find it as it is.
    const all = random.chance(0.5)
    if (all) for (const { kill } of [...commands, holder]) kill()
    await site.kill()
    await stopped
    await Promise.all(commands.map(({ ended }) => ended))
    if (!all) await wait(random.below(50))
    holder.kill()
    await holder.ended
    // Deletes the folder of the killed site.
    await site.stop()
    if (hasJournal(file)) ledger.count(KILLED_WRITING)
    return storedInFile(file)
  }

  /** A busy machine may take long. The wait is limited, because there may be no reply while the lock is held. */
  async function untilUnderWay(): Promise<void> {
    const seen = () => ['POST 201', LOCK_TAKEN].map((what) => ledger.outcomes.get(what))
    const before = seen()
    const isUnderWay = () => seen().every((times, place) => times !== before[place])
    for (let looks = 3000; looks > 0 && !isUnderWay(); looks--) await wait(10)
  }
}

/** Two sites on one libSQL server, which is killed and restarted in each round; in some rounds so is one of the sites. */
export async function serverStage(): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-chaos-'))
  const server = await startLibsqlServer()
  const startSite = (): Promise<Site> => startBuiltServer({ DATABASE_URL: server.url })
  const ledger = new Ledger()
  const again: SentRsvp[] = []
  /** The sites that a load balancer would know. */
  const sites: Site[] = []
  try {
    const site = await startSite()
    sites.push(site)
    await setServiceDay(site.url)
    sites.push(await startSite())
  } catch (error) {
    await stop()
    throw error
  }
  const keep = (target: string) => cpSync(server.folder, target, { recursive: true })
  return { ledger, again, refusedIsNotStored: false, round, keep, stop }

  async function stop(): Promise<void> {
    await Promise.all(sites.map((site) => site.stop()))
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }

  async function round(random: Random): Promise<Stored> {
    const place = { url: server.url, folder, ledger }
    const before = startCommands(place, random)
    const stopLoad = startLoad({ ledger, again, random: random.fork(), sites: () => sites.map(({ url }) => url) })
    try {
      await wait(random.below(LONGEST_LOAD_MS))
      if (random.chance(COMMANDS_KILLED)) for (const { kill } of before) kill()
      await Promise.all([crash(random), random.chance(SITE_KILLED) && crashSite(random)])
    } finally {
      await Promise.all([stopLoad(), ...before.map(({ ended }) => ended)])
    }
    // Commands from before may find no server; these find it with everything that was stored meanwhile.
    await Promise.all(startCommands(place, random).map(({ ended }) => ended))
    return storedOnServer(server.url)
  }

  async function crash(random: Random): Promise<void> {
    for (let left = 1 + random.below(CRASHES_AT_MOST); left > 0; left--) {
      await server.kill()
      ledger.count(SERVER_KILLED)
      await wait(random.below(LONGEST_DOWN_MS))
      await server.start()
      await wait(random.below(LONGEST_LOAD_MS))
    }
  }

  async function crashSite(random: Random): Promise<void> {
    await wait(random.below(LONGEST_DOWN_MS))
    const [killed] = random.chance(0.5) ? sites.splice(0, 1) : sites.splice(1, 1)
    await killed?.kill()
    await killed?.stop()
    sites.push(await startSite())
  }
}

function holdLock(file: string, ledger: Ledger, random: Random) {
  const script = join(root, 'scripts/testing/lock-database.mjs')
  const pause = random.pick(['0-20', '20-100', '100-400'])
  const holder = spawn(process.execPath, [script, file, '10-40', pause], { stdio: ['ignore', 'pipe', 'ignore'] })
  // It prints one line each time.
  holder.stdout.on('data', (text: Buffer) => ledger.count(LOCK_TAKEN, text.toString().split('\n').length - 1))
  return { kill: () => void holder.kill('SIGKILL'), ended: once(holder, 'close') }
}
