import { listSites } from '#db/config/places.ts'
import { CommandError, exitCodes } from '../../exit-code.ts'
import { layoutOf, program } from '../layout.ts'
import { type Release, releaseAt } from '../release.ts'
import { runningProcess, stateOf } from '../state.ts'

/** What an update starts from. */
export type Situation = {
  inUse: Release
  /** What to go back to: the release in use, or, after an interrupted update, the one before it. */
  proved: Release
  /** An update was interrupted, or could not go back: whether the release in use works is not known. */
  isOpen: boolean
  running: string[]
  /** Sites that do not run are left so; their next start is one of the new release. */
  stopped: string[]
}

/** @throws CommandError 'failed' where no release is in use. */
export async function findSituation(now: Date): Promise<Situation> {
  const inUse = await releaseAt(program.current)
  if (inUse === undefined) {
    const todo = 'Make a site a service first: `rsvp service install`, see docs/install.md.'
    throw new CommandError(exitCodes.failed, `No release is in use here. ${todo}`)
  }
  const before = await releaseAt(program.unproved)
  const states = await Promise.all(listSites().map((site) => stateOf(site, now)))
  // What an interrupted update has started may have failed by now.
  const runs = (state: string) => /^(active|activating)$/.test(state) || before !== undefined
  const [running, stopped] = [true, false].map((wanted) =>
    states.filter(({ state }) => runs(state) === wanted).map(({ site }) => site),
  )
  const isOpen = before !== undefined
  return { inUse, proved: before ?? inUse, isOpen, running: running ?? [], stopped: stopped ?? [] }
}

/** Whether this version is in use at every site that runs, and has been seen working. */
export async function isInUse(version: string, { inUse, isOpen, running }: Situation): Promise<boolean> {
  if (inUse.version !== version || isOpen) return false
  const found = await Promise.all(running.map((site) => runningProcess(layoutOf(site).units[0] ?? '')))
  return found.every((process) => process.version === version)
}
