// Cuts the power of the built site's disk at random moments while visitors answer, and ends with exit code 1 where what
// is on the disk then lacks an answer that was acknowledged, or holds a half one, a double one or a damaged page.
// `npm run powercut` takes one to three minutes, with these options:
//
//   --cuts N   200 of them when left out, 20 on each disk
//   --seed N   chooses the moments
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { startBuiltServer } from '../../scripts/testing/built-server.mjs'
import { Answers, startClients } from '../answers.ts'
import { type Findings, findIn, type Promised } from '../found.ts'
import { copyDisk, type Disk, makeDisk, mount } from './disk.ts'
import { stopped } from './process.ts'
import { endWithStarter, runInside } from './sandbox.ts'

const CUTS_OF_A_DISK = 20
/** So many of them while the database is being made. */
const CUTS_OF_A_START = 5
/** About as long as a migration takes, in ms. */
const START_PAUSE_MS = 5
const LONGEST_PAUSE_MS = 200
/** What the server has sent before it stood still arrives well within this, in ms. */
const ARRIVAL_MS = 20
const PRINTED = 10
const MOMENTS = 1000
/** Any as likely as any other, not the limits first. */
const moment = fc.noBias(fc.integer({ min: 0, max: MOMENTS }))

const { values } = parseArgs({
  options: {
    cuts: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    // How the program calls itself, see sandbox.ts.
    inside: { type: 'string' },
  },
})
const cuts = Number(values.cuts)
const seed = Number(values.seed)
if (!(cuts > 0) || !(seed >= 0)) throw new Error('The options are at the top of lab/powercut/run.ts.')

const total = { cuts: 0, inStart: 0, lossy: 0, acknowledged: 0, lost: 0, wrong: 0, again: 0 }

if (values.inside === undefined) {
  const ended = await runInside()
  if (typeof ended === 'string') print(`No power was cut: ${ended}.`)
  else process.exitCode = ended
} else {
  endWithStarter(values.inside)
  await cutAll(values.inside)
  // Its input would keep it waiting.
  process.exit(total.lost + total.wrong > 0 ? 1 : 0)
}

async function cutAll(folder: string): Promise<void> {
  const started = performance.now()
  const fractions = fc.sample(moment, { seed, numRuns: cuts }).map((parts) => parts / MOMENTS)
  for (let first = 0; first < cuts; first += CUTS_OF_A_DISK) {
    await cutDisk(folder, fractions.slice(first, first + CUTS_OF_A_DISK))
    print(`${total.cuts} of ${cuts} cuts, ${total.acknowledged} acknowledged answers looked for`)
  }
  const seconds = Math.round((performance.now() - started) / 1000)
  print(
    `${total.cuts} cuts (${total.inStart} while the database was made): ${total.lost} acknowledged lost (in ${total.lossy} cuts), ` +
      `${total.wrong} half, double, damaged or refused; ${total.again} copies taken again; ${seconds} s, seed ${seed}`,
  )
}

/** All the cuts of one disk and one server: the first while it starts, the others while visitors answer. */
async function cutDisk(folder: string, fractions: number[]): Promise<void> {
  const disk = await makeDisk(folder)
  const file = join(disk.at, 'site', 'rsvp.db')
  const scene = { disk, file, answers: new Answers() }
  let pid = 0
  let inStart: Promise<void> | undefined
  const site = await startBuiltServer({ DATABASE_URL: `file:${file}` }, (spawned: number) => {
    pid = spawned
    inStart = cutStart(pid, fractions.slice(0, CUTS_OF_A_START), scene)
  })
  await inStart
  const clients = startClients(site.url, scene.answers)
  for (const fraction of fractions.slice(CUTS_OF_A_START)) {
    await wait(fraction * LONGEST_PAUSE_MS)
    await look(await cut(pid, 'cut', scene), scene)
  }
  await site.kill()
  await clients.stop()
  await site.stop()
  await disk.remove()
  const { refused } = scene.answers
  total.wrong += refused.length
  for (const line of refused.slice(0, PRINTED)) print(`  ${line}`)
}

type Scene = { disk: Disk; file: string; answers: Answers }
/** What is to be looked at. */
type Cut = { image: string; promised: Promised }

/** Cut in quick succession and looked at afterwards: meanwhile the start would go on. */
async function cutStart(pid: number, fractions: number[], scene: Scene): Promise<void> {
  const made: Cut[] = []
  for (const [number, fraction] of fractions.entries()) {
    // The file is there before anything is in it; its journal comes with the first migration.
    const sign = number === 0 ? scene.file : `${scene.file}-journal`
    while (!existsSync(sign)) await nextTurn()
    await wait(fraction * START_PAUSE_MS)
    made.push(await cut(pid, `start-${number}`, scene))
  }
  for (const one of made) await look(one, scene)
  total.inStart += made.length
}

async function cut(pid: number, name: string, { disk, answers }: Scene): Promise<Cut> {
  const image = `${disk.image}.${name}`
  await stopped(pid)
  total.again += (await copyDisk(disk, image)).again
  await wait(ARRIVAL_MS)
  const promised = { sent: new Map(answers.sent), acknowledged: new Map(answers.acknowledged) }
  process.kill(pid, 'SIGCONT')
  return { image, promised }
}

async function look({ image, promised }: Cut, { disk, file }: Scene): Promise<void> {
  const pulled = await mount(image)
  const found = await findIn(join(pulled.at, relative(disk.at, file)), promised)
  await pulled.remove()
  total.cuts++
  total.acknowledged += promised.acknowledged.size
  count(found)
}

function count({ lost, wrong }: Findings): void {
  total.lost += lost.length
  total.wrong += wrong.length
  if (lost.length > 0) total.lossy++
  for (const line of [...lost, ...wrong].slice(0, PRINTED)) print(`  cut ${total.cuts}: ${line}`)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
