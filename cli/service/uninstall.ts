import { existsSync } from 'node:fs'
import { chmod, chown, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { listSites } from '#db/config/places.ts'
import { giveAll } from './files.ts'
import { type Layout, program } from './layout.ts'
import { removeProgram } from './program-files.ts'
import { removeSiteFiles } from './site-files.ts'
import type { Step } from './step.ts'
import { outputOf, runTool } from './system.ts'
import { units } from './units.ts'
import { removeTrial } from './update/trial.ts'
import { trialFolder } from './update/try-release.ts'

/** What undoes an installation. The data, the backups and the settings stay, from then on for root only. */
export async function removals(layout: Layout): Promise<Step[]> {
  const { name, account, data, backups, settings, keptSettings } = layout
  const steps: Step[] = [{ text: `Stop rsvp@${name}, now and for good.`, work: () => stop(layout) }]
  const kept = [data, backups].filter((folder) => existsSync(folder))
  if (kept.length > 0) {
    // A later account may get the number of this one.
    steps.push({ text: `Give ${kept.join(' and ')} to root.`, work: () => giveToRoot(kept) })
  }
  if (existsSync(settings)) {
    steps.push({ text: `Keep the settings as ${keptSettings}.`, work: () => keepSettings(settings, keptSettings) })
  }
  if ((await outputOf('id', '--user', account)) !== '') {
    steps.push({ text: `Remove the account ${account}.`, work: () => runTool('userdel', account) })
  }
  const isLast = listSites().every((site) => site === name)
  return isLast ? [...steps, removeUnits(dirname(settings)), removeProgram()] : steps
}

async function stop(layout: Layout): Promise<void> {
  const { units: own, socket, cache } = layout
  await runTool('systemctl', 'disable', '--now', '--quiet', ...own)
  await outputOf('systemctl', 'stop', socket)
  await rm(cache, { recursive: true, force: true })
  await removeSiteFiles(layout)
  await removeTrial(trialFolder(layout.name))
}

async function giveToRoot(folders: string[]): Promise<void> {
  for (const folder of folders) await giveAll(folder, 0, 0)
}

async function keepSettings(settings: string, kept: string): Promise<void> {
  await rename(settings, kept)
  await chown(kept, 0, 0)
  await chmod(kept, 0o600)
}

function removeUnits(settingsFolder: string): Step {
  return {
    text: `Remove the units of all sites from ${program.units}.`,
    work: async () => {
      for (const name of Object.keys(units)) await rm(join(program.units, name), { force: true })
      await runTool('systemctl', 'daemon-reload')
      // Whatever else is in it stays.
      await rmdir(settingsFolder).catch(() => undefined)
    },
  }
}
