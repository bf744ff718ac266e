import { existsSync } from 'node:fs'
import { copyFile, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { listSites } from '#db/config/places.ts'
import { failure } from '../exit-code.ts'
import { canUseTables, putBackTables } from './put-back-tables.ts'
import { type Release, releaseAt, runRelease } from './release.ts'
import { program, runningProcess } from './site.ts'
import { makeSharedFolder, replaceLink, type Step } from './system.ts'
import { type FoundRelease, installBeside } from './take-release.ts'
import { assertWell, backUpSite, reasonOf, type Saved, tryRelease } from './trial.ts'

/** systemd waits longer for a start, but a release that passed its trial needs seconds. */
const START_TIMEOUT_MS = 90_000

export type Situation = {
  inUse: Release
  /** What to go back to: the release in use, or, after an interrupted update, the one before it. */
  proved: Release
  /** An update was interrupted, or could not go back: it is unknown whether the release in use works. */
  isOpen: boolean
  running: string[]
  /** Sites that are not running stay so; they start with the new release. */
  stopped: string[]
}

type Switch = {
  from: Release
  to: Release
  /** Put into use again if `to` fails. */
  back: Release
  sites: string[]
  /** The sites whose database is restored first. */
  restored: string[]
  now: Date
}

/** How long open pages find the files of a replaced release. */
const TTL_MS = 24 * 60 * 60 * 1000

/**
 * The steps from the release in use to another one. Visitors notice only the last but one.
 * @param restored the sites whose database is restored as well, because the release cannot use its tables.
 */
export function stepsTo(target: FoundRelease, situation: Situation, now: Date, restored: string[] = []): Step[] {
  const { inUse, proved, running } = situation
  const tried = running.filter((site) => !restored.includes(site))
  const saved = new Map<string, Saved>()
  let installed: Release = inUse
  const steps: Step[] = []
  const add = (text: string, work: Step['work']) => {
    const cleanedUp = async () => {
      try {
        await work()
      } catch (error) {
        // A release that failed must not count as installed the next time.
        await removeOldReleases()
        throw error
      }
    }
    steps.push({ text, work: cleanedUp })
  }

  // Shown because others may be able to put a release there.
  const from = target.kind === 'installed' ? '' : `, from ${target.path}`
  add(`Install ${target.version} beside ${inUse.version}${from}.`, async () => {
    installed = await installBeside(target)
  })
  if (running.length > 0) {
    add(`Back up ${running.join(', ')}.`, async () => {
      for (const site of running) saved.set(site, await backUpSite(site, proved))
    })
  }
  if (tried.length > 0) {
    add(`Start ${target.version} once on a copy of the database of ${tried.join(', ')}.`, async () => {
      for (const [site, backup] of saved) if (tried.includes(site)) await tryRelease(site, installed, backup)
    })
  }
  const databases = restored.length > 0 ? `, with the database from before the update at ${restored.join(', ')}` : ''
  add(`Put ${target.version} into use${databases}, and go back to ${proved.version} if it fails.`, () =>
    switchRelease({ from: inUse, to: installed, back: proved, sites: running, restored, now }),
  )
  add('Remove the releases that are no longer needed.', removeOldReleases)
  return steps
}

/**
 * Switches one site after the other, and watches each. If one fails, all of them go back.
 * @throws CommandError 'failed' that says what was wrong, once the previous release is in use again.
 */
async function switchRelease({ from, to, back, sites, restored, now }: Switch): Promise<void> {
  await replaceLink(program.unproved, back.folder)
  const changed: string[] = []
  try {
    await keepOpenPagesWorking(from.folder, to.folder, now)
    await replaceLink(program.current, to.folder)
    for (const site of sites) {
      changed.push(site)
      if (restored.includes(site)) await putBackTables(site, from, to)
      await startAt(site, to)
    }
  } catch (error) {
    const putBack = await goBack({ from: to, to: back, sites: changed, now })
    const where = changed.length === 0 ? 'could not be put into use' : `failed at ${changed.at(-1)}`
    const kept =
      putBack.length === 0
        ? ', with all that was stored meanwhile'
        : `, with the database from before and the responses since at ${putBack.join(', ')}; any other changes are in the copy beside it`
    const end = `${back.version} is in use again${kept}.`
    throw failure(`${to.version} ${where}: ${reasonOf(error)}. ${end}`)
  }
  // After a return from an interrupted update there is nothing new to go back to.
  if (to.version === back.version) await rm(program.unproved, { force: true })
  else await rename(program.unproved, program.previous)
}

/**
 * Gives a release the scripts and styles of the one it replaces, because open pages still request them. Those of the
 * last day stay, however many updates there were.
 */
async function keepOpenPagesWorking(replaced: string, next: string, now: Date): Promise<void> {
  if (replaced === next) return
  const [from, to] = [join(replaced, 'builds', 'packed'), join(next, 'builds', 'packed')]
  const [own, kept] = [join(to, 'client', 'assets'), join(to, 'earlier', 'assets')]
  await rm(join(to, 'earlier'), { recursive: true, force: true })
  await makeSharedFolder(kept)
  const replacedNow = join(from, 'client', 'assets')
  for (const folder of [replacedNow, join(from, 'earlier', 'assets')]) {
    for (const name of await readdir(folder).catch(() => [])) {
      const path = join(folder, name)
      // The time of change of a kept file is when it was replaced.
      const replacedAt = folder === replacedNow ? now : (await stat(path)).mtime
      if (now.getTime() - replacedAt.getTime() >= TTL_MS) continue
      if (existsSync(join(own, name)) || existsSync(join(kept, name))) continue
      await copyFile(path, join(kept, name))
      await utimes(join(kept, name), replacedAt, replacedAt)
    }
  }
}

/** Removes the releases that no link points to and no site runs. */
async function removeOldReleases(): Promise<void> {
  const links = await Promise.all([program.current, program.previous, program.unproved].map(releaseAt))
  const running = await Promise.all(listSites().map(runningProcess))
  const needed = new Set([...links, ...running].map((release) => release?.version))
  for (const name of await readdir(program.releases).catch(() => [])) {
    if (!needed.has(name)) await rm(join(program.releases, name), { recursive: true, force: true })
  }
}

/**
 * Continues with the other sites if one cannot go back.
 * @returns the sites whose database was restored as well.
 */
async function goBack({ from, to, sites, now }: Pick<Switch, 'from' | 'to' | 'sites' | 'now'>): Promise<string[]> {
  await replaceLink(program.current, to.folder)
  // Going back matters more, e.g. on a full disk.
  await keepOpenPagesWorking(from.folder, to.folder, now).catch(() => {})
  const failures: string[] = []
  const putBack: string[] = []
  for (const site of sites) {
    try {
      // If that is unknown it is started: it refuses tables that it cannot use.
      const canStart = await canUseTables(site, to).catch(() => true)
      if (!canStart) {
        await putBackTables(site, from, to, now)
        putBack.push(site)
      }
      await startAt(site, to)
    } catch (error) {
      failures.push(`${site} (${reasonOf(error)})`)
    }
  }
  if (failures.length > 0) {
    const todo = 'See `rsvp service list`, and run `rsvp rollback` when that is fixed.'
    throw failure(`These could not go back to ${to.version}: ${failures.join('; ')}. ${todo}`)
  }
  await rm(program.unproved, { force: true })
  return putBack
}

/** A release knows its units and its steps best, so its own command installs the service. */
async function startAt(site: string, release: Release): Promise<void> {
  const words = ['service', 'install', '--yes', '--quiet', '--site', site]
  await runRelease(release, words, { timeoutMs: START_TIMEOUT_MS })
  await assertWell(site, release)
}
