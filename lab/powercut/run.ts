// Cuts the power of the site's disk at random moments while visitors send RSVPs. Ends with exit code 1 if the disk then
// lacks an acknowledged RSVP, or holds a half-written one, one twice or a damaged page. `npm run lab -- powercut` needs
// root on Linux and takes one to three minutes; `--rounds N` for other than 200 cuts, 20 on each disk.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { localEnvironment, root } from '../../scripts/local-node.mjs'
import { run } from '../../scripts/run.mjs'
import { startBuiltServer } from '../../scripts/testing/built-server.mjs'
import { judge } from '../judge.ts'
import { type Finding, Ledger } from '../ledger.ts'
import { startLoad } from '../load.ts'
import { below } from '../random.ts'
import type { Options } from '../run.ts'
import { storedInFile } from '../stored.ts'
import { copyDisk, type Disk, makeDisk, mount, remove } from './disk.ts'

const CUTS_PER_DISK = 20
const LONGEST_PAUSE_MS = 200
/** Replies that the site sent before it was stopped arrive well within this. */
const TRANSFER_MS = 20
const PRINTED = 10

const total = { cuts: 0, acknowledged: 0, lost: 0, others: 0 }

export async function main({ rounds = 200, inside }: Options): Promise<void> {
  if (!inside) return runInside()
  for (let left = rounds; left > 0; left -= CUTS_PER_DISK) await cutDisk(Math.min(left, CUTS_PER_DISK))
  const others = `${total.others} half-written, double, damaged or refused`
  const looked = `${total.acknowledged} times an acknowledged RSVP was looked for`
  console.log(`${total.cuts} cuts, ${looked}: ${total.lost} lost, ${others}`)
  if (total.lost + total.others > 0) process.exitCode = 1
}

/** Runs this program again in a Linux namespace of its own, whose mounts disappear with its last process. */
function runInside(): void {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    console.log('No power was cut: mounting disk images needs root on Linux.')
    return
  }
  const TMPDIR = mkdtempSync(join(tmpdir(), 'rsvp-powercut-'))
  // A terminal interrupts both: this process stays to remove the disk images.
  process.on('SIGINT', () => {})
  const again = [process.execPath, ...process.argv.slice(1), '--inside']
  const { status } = spawnSync('unshare', ['--mount', ...again], { stdio: 'inherit', env: { ...process.env, TMPDIR } })
  rmSync(TMPDIR, { recursive: true, force: true })
  process.exitCode = status ?? 1
}

/** The cuts of one disk and one site, while visitors send RSVPs. */
async function cutDisk(count: number): Promise<void> {
  const disk = await makeDisk(tmpdir())
  const file = join(disk.at, 'site', 'rsvp.db')
  const ledger = new Ledger()
  const site = await startBuiltServer({ DATABASE_URL: `file:${file}` })
  const stopLoad = startLoad({ ledger, sites: [site.url] })
  for (let left = count; left > 0; left--) {
    await wait(below(LONGEST_PAUSE_MS))
    await cut(Number(site.pid), disk, file, ledger)
  }
  await site.kill()
  await stopLoad()
  await site.stop()
  await remove(disk)
  report(ledger.findings)
}

/** Copies the disk while the site stands still, and judges the copy by what the clients knew at that moment. */
async function cut(pid: number, disk: Disk, file: string, ledger: Ledger): Promise<void> {
  process.kill(pid, 'SIGSTOP')
  // A process that waits for the disk stops only when the disk is done.
  while (stateOf(pid) !== 'T') await wait(1)
  const image = `${disk.image}.cut`
  await copyDisk(disk, image)
  await wait(TRANSFER_MS)
  const promised = ledger.snapshot()
  process.kill(pid, 'SIGCONT')
  const copy = await mount(image)
  const findings = await examine(join(copy.at, relative(disk.at, file)), promised)
  await remove(copy)
  total.cuts++
  total.acknowledged += Array.from(promised.rsvps.values()).filter(({ id }) => id !== undefined).length
  report(findings)
}

/** See proc(5): R is running, D waits for the disk, T is stopped. The name in parentheses before it may be any text. */
function stateOf(pid: number): string | undefined {
  return /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]
}

/** `rsvp list` opens the file first, as the site would: with our own code, which recovers an unfinished transaction. */
async function examine(file: string, ledger: Ledger): Promise<Finding[]> {
  const environment = localEnvironment({ DATABASE_URL: `file:${file}` })
  const { code, output } = await run(join(root, 'cli', 'rsvp'), ['list', '--week', 'all', '--json'], environment)
  if (code !== 0) return [{ kind: 'damaged', text: `the database does not open: ${output.trim()}` }]
  return judge(ledger, storedInFile(file))
}

function report(findings: Finding[]): void {
  const lost = findings.filter(({ kind }) => kind === 'lost').length
  total.lost += lost
  total.others += findings.length - lost
  for (const { kind, text } of findings.slice(0, PRINTED)) console.log(`  cut ${total.cuts}: ${kind}: ${text}`)
}
