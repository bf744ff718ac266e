import { layoutOf } from '../layout.ts'
import type { Release } from '../release.ts'
import { commandOf } from '../site-command.ts'
import type { Step } from '../step.ts'
import type { FoundRelease } from './find-release.ts'
import { installBeside } from './install-beside.ts'
import { removeOldReleases } from './prune.ts'
import type { Situation } from './situation.ts'
import { switchRelease } from './switch.ts'
import { backUpSite, type Saved } from './trial.ts'
import { tryRelease } from './try-release.ts'

/**
 * From the release in use to another one; visitors notice nothing before the last step but one.
 * @param restored the sites whose database goes back as well, because the release cannot use its tables.
 */
export function stepsTo(target: FoundRelease, situation: Situation, now: Date, restored: string[] = []): Step[] {
  const { inUse, proved, running } = situation
  const tried = running.filter((site) => !restored.includes(site))
  const saved = new Map<string, Saved>()
  let installed: Release = inUse
  const steps: Step[] = []
  const add = (text: string, work: Step['work']) => steps.push({ text, work })

  // Where it comes from is for people to see: in some folders others may have put it.
  const from = target.kind === 'installed' ? '' : `, from ${target.path}`
  add(`Install ${target.version} beside ${inUse.version}${from}.`, async () => {
    installed = await installBeside(target)
  })
  if (running.length > 0) {
    add(`Back up ${running.join(', ')}.`, async () => {
      for (const site of running)
        saved.set(site, await backUpSite(await commandOf(site, proved), layoutOf(site).backups))
    })
  }
  if (tried.length > 0) {
    add(`Start ${target.version} once on a copy of the database of ${tried.join(', ')}.`, async () => {
      for (const [site, backup] of saved) if (tried.includes(site)) await tryRelease(site, installed, backup)
    })
  }
  const databases = restored.length > 0 ? `, with the database from before the update at ${restored.join(', ')}` : ''
  add(`Put ${target.version} into use${databases}, and go back to ${proved.version} where it is not well.`, () =>
    switchRelease({ from: inUse, to: installed, back: proved, sites: running, restored, now }),
  )
  add('Remove the releases that are no longer needed.', removeOldReleases)
  return steps.map((step) => ({ ...step, work: () => cleanedUp(step.work) }))
}

/** What did not come into use must not be taken for installed the next time. */
async function cleanedUp(work: Step['work']): Promise<void> {
  try {
    await work()
  } catch (error) {
    await removeOldReleases()
    throw error
  }
}
