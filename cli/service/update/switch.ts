import { rename, rm } from 'node:fs/promises'
import { CommandError, exitCodes } from '../../exit-code.ts'
import { replaceLink } from '../files.ts'
import { program } from '../layout.ts'
import { keepOpenPagesWorking } from '../open-pages.ts'
import { type Release, runRelease } from '../release.ts'
import { commandOf } from '../site-command.ts'
import { assertWell } from './assert-well.ts'
import { canUseTables } from './put-back-tables.ts'
import { putBackTablesOf } from './site-tables.ts'

/** systemd waits longer for a start; a release that was tried before needs seconds. */
const START_TIMEOUT_MS = 90_000

type Switch = {
  from: Release
  to: Release
  /** What is put into use again where `to` is not well. */
  back: Release
  sites: string[]
  /** Those whose database goes back first. */
  restored: string[]
  now: Date
}

/**
 * Puts a release into use at one site after the other, and watches each. Where one is not well, all of them go back.
 * @throws CommandError 'failed' that says what was wrong, once the release from before is in use again.
 */
export async function switchRelease({ from, to, back, sites, restored, now }: Switch): Promise<void> {
  await replaceLink(program.unproved, back.folder)
  const changed: string[] = []
  try {
    await makeCurrent(from, to, now)
    for (const site of sites) {
      changed.push(site)
      if (restored.includes(site)) await putBackTablesOf(site, from, to)
      await startAt(site, to)
    }
  } catch (error) {
    const putBack = await goBack({ from: to, to: back, sites: changed, now })
    const where = changed.length === 0 ? 'could not be put into use' : `is not well at ${changed.at(-1)}`
    const kept =
      putBack.length === 0
        ? ', with all that was stored meanwhile'
        : `, with the database from before and the responses since at ${putBack.join(', ')}; what else was changed is in the copy beside it`
    const end = `${back.version} is in use again${kept}.`
    throw new CommandError(exitCodes.failed, `${to.version} ${where}: ${reasonOf(error)}. ${end}`)
  }
  // After a return from an interrupted update there is nothing new to go back to.
  if (to.version === back.version) await rm(program.unproved, { force: true })
  else await rename(program.unproved, program.previous)
}

/**
 * Every site, also after another one could not be brought back.
 * @returns the sites whose database went back as well.
 */
async function goBack({ from, to, sites, now }: Pick<Switch, 'from' | 'to' | 'sites' | 'now'>): Promise<string[]> {
  await replaceLink(program.current, to.folder)
  // On a full disk, going back comes first.
  await keepOpenPagesWorking(from.folder, to.folder, now).catch(() => {})
  const failures: string[] = []
  const putBack: string[] = []
  for (const site of sites) {
    try {
      // In doubt it is started: it refuses by itself what it cannot use.
      const canStart = await canUseTables(await commandOf(site, to)).catch(() => true)
      if (!canStart) {
        await putBackTablesOf(site, from, to, now)
        putBack.push(site)
      }
      await startAt(site, to)
    } catch (error) {
      failures.push(`${site} (${reasonOf(error)})`)
    }
  }
  if (failures.length > 0) {
    const todo = 'See `rsvp service status`, and run `rsvp rollback` when that is fixed.'
    throw new CommandError(
      exitCodes.failed,
      `These could not go back to ${to.version}: ${failures.join('; ')}. ${todo}`,
    )
  }
  await rm(program.unproved, { force: true })
  return putBack
}

async function makeCurrent(from: Release, to: Release, now: Date): Promise<void> {
  await keepOpenPagesWorking(from.folder, to.folder, now)
  await replaceLink(program.current, to.folder)
}

/** A release knows its units and its steps best, so its own command makes the service. */
async function startAt(site: string, release: Release): Promise<void> {
  const words = ['service', 'install', '--yes', '--quiet', '--site', site]
  await runRelease(release, words, { timeoutMs: START_TIMEOUT_MS })
  await assertWell(site, release)
}

/** What is wrong, as the end of a sentence. */
export function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')
}
