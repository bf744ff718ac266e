import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startBuiltServer } from '../../scripts/testing/built-server.mjs'
import { startCommands } from './commands.ts'
import { KILLED_WRITING, LOCK_TAKEN } from './figures.ts'
import { Ledger } from './ledger.ts'
import { putLoad } from './load.ts'
import type { Random } from './random.ts'
import type { Stage } from './stage.ts'
import { copyDatabase, hasJournal, type Stored, storedInFile } from './stored.ts'

const lockScript = join(import.meta.dirname, '..', '..', 'scripts', 'testing', 'lock-database.mjs')
const LONGEST_LOAD_MS = 400
/** Now and then longer, so that there is much to lose, and where a command runs, which takes a while to begin. */
const LONG = 0.2
const LONGEST_LONG_LOAD_MS = 1500
/** In how many rounds that time begins with the first answer and the first lock: what has just started takes a while. */
const WARM = 0.75

/** A site on a file, killed in each round while another process takes the lock over and over. */
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
    const site = await startBuiltServer({ DATABASE_URL: url })
    const holder = holdLock(file, ledger, random)
    const commands = startCommands({ url, folder, ledger }, random)
    let isOver = false
    const load = putLoad({ ...stage, random: random.fork(), sites: () => [site.url], isOver: () => isOver })
    if (random.chance(WARM)) await untilUnderWay()
    const isLong = commands.length > 0 || random.chance(LONG)
    await wait(random.below(isLong ? LONGEST_LONG_LOAD_MS : LONGEST_LOAD_MS))
    isOver = true
    // Either all of them, so that nobody repairs what is left, or the site alone, so that the others find it.
    const all = random.chance(0.5)
    if (all) for (const { kill } of [...commands, holder]) kill()
    await site.kill()
    await load
    await Promise.all(commands.map(({ ended }) => ended))
    if (!all) await wait(random.below(50))
    holder.kill()
    await holder.ended
    // Takes away the folder that it was started in.
    await site.stop()
    if (hasJournal(file)) ledger.count(KILLED_WRITING)
    return storedInFile(file)
  }

  /** However long a busy machine takes, but not for ever: with a lock there may be no answer. */
  async function untilUnderWay(): Promise<void> {
    const seen = () => ['POST 201', LOCK_TAKEN].map((what) => ledger.answered.get(what))
    const before = seen()
    const isUnderWay = () => seen().every((times, place) => times !== before[place])
    for (let looks = 3000; looks > 0 && !isUnderWay(); looks--) await wait(10)
  }
}

function holdLock(file: string, ledger: Ledger, random: Random) {
  const pause = random.pick(['0-20', '20-100', '100-400'])
  const holder = spawn(process.execPath, [lockScript, file, '10-40', pause], { stdio: ['ignore', 'pipe', 'ignore'] })
  // One line for each time.
  holder.stdout.on('data', (text: Buffer) => ledger.count(LOCK_TAKEN, text.toString().split('\n').length - 1))
  return { kill: () => void holder.kill('SIGKILL'), ended: once(holder, 'close') }
}
