import type { Release } from '../release.ts'
import type { Step } from '../step.ts'
import type { FoundRelease } from './find-release.ts'
import { layBeside } from './lay-beside.ts'
import { removeOldReleases } from './prune.ts'
import type { Situation } from './situation.ts'
import { switchRelease } from './switch.ts'
import { backUpSite, type Saved, tryOn } from './trial.ts'

/**
 * From the release in use to another one; visitors notice nothing before the last step but one.
 * @param restored the sites whose database goes back as well, because the release cannot use its tables.
 */
export function stepsTo(target: FoundRelease, situation: Situation, now: Date, restored: string[] = []): Step[] {
  const { inUse, proved, running } = situation
  const tried = running.filter((site) => !restored.includes(site))
  const saved = new Map<string, Saved>()
  let laid: Release = inUse
  const steps: Step[] = []
  const add = (text: string, work: Step['work']) => steps.push({ text, work })

  add(`Lay ${target.version} beside ${inUse.version}.`, async () => {
    laid = await layBeside(target)
  })
  if (running.length > 0) {
    add(`Back up ${running.join(', ')}.`, async () => {
      for (const site of running) saved.set(site, await backUpSite(site, proved))
    })
  }
  if (tried.length > 0) {
    add(`Start ${target.version} once on a copy of the database of ${tried.join(', ')}.`, async () => {
      for (const [site, backup] of saved) if (tried.includes(site)) await tryOn(site, laid, backup)
    })
  }
  const databases = restored.length > 0 ? `, with the database from before the update at ${restored.join(', ')}` : ''
  add(`Put ${target.version} into use${databases}, and go back to ${proved.version} where it is not well.`, () =>
    switchRelease({ from: inUse, to: laid, back: proved, sites: running, restored, now }),
  )
  add('Remove the releases that are no longer needed.', removeOldReleases)
  return steps.map((step) => ({ ...step, work: () => cleanedUp(step.work) }))
}

/** What did not come into use must not be taken for laid and tried the next time. */
async function cleanedUp(work: Step['work']): Promise<void> {
  try {
    await work()
  } catch (error) {
    await removeOldReleases()
    throw error
  }
}
