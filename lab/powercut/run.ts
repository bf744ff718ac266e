// Cuts the power of the site's disk at random moments while visitors send RSVPs. Ends with exit code 1 where the disk then
// lacks an acknowledged RSVP, or holds a half-written one, one twice or a damaged page. `npm run powercut` takes one to
// three minutes, with these options:
//
//   --cuts N   200 by default, 20 on each disk
//   --seed N   repeats the moments and the RSVPs of a run
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startBuiltServer } from '../../scripts/testing/built-server.mjs'
import { startVisitors } from '../clients.ts'
import { examine } from '../examine.ts'
import type { Finding } from '../finding.ts'
import { Ledger } from '../ledger.ts'
import { newSeed, Random } from '../random.ts'
import { copyDisk, type Disk, makeDisk, mount } from './disk.ts'
import { stopped } from './process.ts'
import { endWithStarter, runInside } from './sandbox.ts'

const CUTS_PER_DISK = 20
/** Of these, while the database is being created. */
const CUTS_AT_START = 5
/** About as long as a migration takes. */
const START_PAUSE_MS = 5
const LONGEST_PAUSE_MS = 200
/** Replies that the site sent before it was stopped arrive well within this. */
const TRANSFER_MS = 20
const PRINTED = 10

const { values } = parseArgs({
  options: {
    cuts: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(newSeed()) },
    // For the program itself, see sandbox.ts.
    inside: { type: 'string' },
  },
})
const cuts = Number(values.cuts)
const seed = Number(values.seed)
if (!(cuts > 0) || !(seed >= 0)) throw new Error('The options are at the top of lab/powercut/run.ts.')

const total = { cuts: 0, inStart: 0, lossy: 0, acknowledged: 0, lost: 0, others: 0, retaken: 0 }

if (values.inside === undefined) {
  const ended = await runInside()
  if (typeof ended === 'string') print(`No power was cut: ${ended}.`)
  else process.exitCode = ended
} else {
  endWithStarter(values.inside)
  await cutAll(values.inside)
  // The open standard input would keep the process alive.
  process.exit(total.lost + total.others > 0 ? 1 : 0)
}

async function cutAll(folder: string): Promise<void> {
  const started = performance.now()
  const random = new Random(seed)
  for (let left = cuts; left > 0; left -= CUTS_PER_DISK) {
    await cutDisk(folder, Math.min(left, CUTS_PER_DISK), random)
    print(`${total.cuts} of ${cuts} cuts, ${total.acknowledged} acknowledged RSVPs looked for`)
  }
  const seconds = Math.round((performance.now() - started) / 1000)
  print(
    `${total.cuts} cuts (${total.inStart} while the database was created): ${total.lost} acknowledged lost (in ${total.lossy} cuts), ` +
      `${total.others} half-written, double, damaged or refused; ${total.retaken} copies taken again; ${seconds} s, seed ${seed}`,
  )
}

/** The cuts of one disk and one site: the first ones while it starts, the others while visitors send RSVPs. */
async function cutDisk(folder: string, count: number, random: Random): Promise<void> {
  const disk = await makeDisk(folder)
  const file = join(disk.at, 'site', 'rsvp.db')
  const scene = { disk, file, ledger: new Ledger(), random }
  const atStart = Math.min(count, CUTS_AT_START)
  let pid = 0
  let inStart: Promise<void> | undefined
  const site = await startBuiltServer({ DATABASE_URL: `file:${file}` }, (spawned: number) => {
    pid = spawned
    inStart = cutStart(pid, atStart, scene)
  })
  await inStart
  const clients = startVisitors(site.url, scene.ledger, random.fork())
  for (let left = count - atStart; left > 0; left--) {
    await wait(random.below(LONGEST_PAUSE_MS))
    await judgeCut(await cut(pid, 'cut', scene), scene)
  }
  await site.kill()
  await clients.stop()
  await site.stop()
  await disk.remove()
  report(scene.ledger.findings)
}

type Scene = { disk: Disk; file: string; ledger: Ledger; random: Random }
/** A copy of the disk, and what the clients knew at that moment. */
type Cut = { image: string; promised: Ledger }

/** Cuts in quick succession and judges afterwards: otherwise the start would be over. */
async function cutStart(pid: number, count: number, scene: Scene): Promise<void> {
  const made: Cut[] = []
  for (let number = 0; number < count; number++) {
    // The file is created empty; its journal comes with the first migration.
    const sign = number === 0 ? scene.file : `${scene.file}-journal`
    while (!existsSync(sign)) await nextTurn()
    await wait(scene.random.next() * START_PAUSE_MS)
    made.push(await cut(pid, `start-${number}`, scene))
  }
  for (const one of made) await judgeCut(one, scene)
  total.inStart += made.length
}

async function cut(pid: number, name: string, { disk, ledger }: Scene): Promise<Cut> {
  const image = `${disk.image}.${name}`
  await stopped(pid)
  total.retaken += (await copyDisk(disk, image)).retaken
  await wait(TRANSFER_MS)
  const promised = ledger.snapshot()
  process.kill(pid, 'SIGCONT')
  return { image, promised }
}

async function judgeCut({ image, promised }: Cut, { disk, file }: Scene): Promise<void> {
  const mounted = await mount(image)
  const findings = await examine(join(mounted.at, relative(disk.at, file)), promised)
  await mounted.remove()
  total.cuts++
  total.acknowledged += promised.acknowledged
  report(findings)
}

function report(findings: Finding[]): void {
  const lost = findings.filter(({ kind }) => kind === 'lost').length
  total.lost += lost
  total.others += findings.length - lost
  if (lost > 0) total.lossy++
  for (const { kind, text } of findings.slice(0, PRINTED)) print(`  cut ${total.cuts}: ${kind}: ${text}`)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
