import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startBuiltServer } from '../../scripts/testing/built-server.mjs'
import { Ledger } from '../ledger.ts'
import type { Random } from '../random.ts'
import { copyDatabase, hasJournal, type Stored, storedInFile } from '../stored.ts'
import { startCommands } from './commands.ts'
import { KILLED_WRITING, LOCK_TAKEN } from './figures.ts'
import { setServiceDay, startLoad } from './load.ts'
import type { Stage } from './stage.ts'

const lockScript = join(import.meta.dirname, '..', '..', 'scripts', 'testing', 'lock-database.mjs')
const LONGEST_LOAD_MS = 400
/** Some rounds are longer, so that there is more to lose; so are those with a command, which takes a while to start. */
const LONG = 0.2
const LONGEST_LONG_LOAD_MS = 1500
/** How many rounds wait for the first RSVP and the first lock before their time begins. */
const WARM = 0.75

/** A site on a file, killed in each round while another process takes and releases the lock. */
export function fileStage(): Stage {
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-chaos-'))
  const file = join(folder, 'rsvp.db')
  const url = `file:${file}`
  const ledger = new Ledger()
  const stage: Stage = {
    ledger,
    again: [],
    refusedIsNotStored: true,
    round,
    keep: (target) => copyDatabase(file, target),
    stop: async () => rmSync(folder, { recursive: true, force: true }),
  }
  return stage

  async function round(random: Random): Promise<Stored> {
    const isNew = !existsSync(file)
    const site = await startBuiltServer({ DATABASE_URL: url })
    if (isNew) await setServiceDay(site.url, ledger)
    const holder = holdLock(file, ledger, random)
    const commands = startCommands({ url, folder, ledger }, random)
    const load = startLoad({ ...stage, random: random.fork(), sites: () => [site.url] })
    if (random.chance(WARM)) await untilUnderWay()
    const isLong = commands.length > 0 || random.chance(LONG)
    await wait(random.below(isLong ? LONGEST_LONG_LOAD_MS : LONGEST_LOAD_MS))
    const stopped = load.stop()
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

  /** A busy machine may take long. It ends in any case: while the lock is held, there may be no reply. */
  async function untilUnderWay(): Promise<void> {
    const seen = () => ['POST 201', LOCK_TAKEN].map((what) => ledger.outcomes.get(what))
    const before = seen()
    const isUnderWay = () => seen().every((times, place) => times !== before[place])
    for (let looks = 3000; looks > 0 && !isUnderWay(); looks--) await wait(10)
  }
}

function holdLock(file: string, ledger: Ledger, random: Random) {
  const pause = random.pick(['0-20', '20-100', '100-400'])
  const holder = spawn(process.execPath, [lockScript, file, '10-40', pause], { stdio: ['ignore', 'pipe', 'ignore'] })
  // It prints one line each time.
  holder.stdout.on('data', (text: Buffer) => ledger.count(LOCK_TAKEN, text.toString().split('\n').length - 1))
  return { kill: () => void holder.kill('SIGKILL'), ended: once(holder, 'close') }
}
