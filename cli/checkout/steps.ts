import { chown, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Context } from '../context.ts'
import type { Step } from '../service/step.ts'
import { canUseTables, tablesChanged } from '../service/update/put-back-tables.ts'
import { reasonOf } from '../service/update/switch.ts'
import { backUpSite, type Saved, tryOn } from '../service/update/trial.ts'
import { build } from './build.ts'
import { putBackDatabase } from './go-back.ts'
import { restart } from './service.ts'
import { commandOfThisBuild, type Site, type Situation } from './situation.ts'
import { remember, type Version } from './versions.ts'

export type Change = {
  target: Version
  situation: Situation
  /** Of a return: whether the database from before is brought back where the version cannot use the tables. */
  restore?: boolean
  context: Context
}

/** How far it has come, so that it can be undone. */
export type Progress = { isCheckedOut: boolean; isSiteTouched: boolean }

/** From the version in use to another one; visitors notice nothing before the last steps. */
export function stepsOf({ target, situation, restore, context }: Change, progress: Progress): Step[] {
  const { proved, site, service } = situation
  const { command, trial: place } = site
  const version = target.title
  let saved: Saved | undefined
  let replaced = command
  let isUsable = true
  const steps: Step[] = []
  const add = (text: string, work: Step['work']) => steps.push({ text, work })

  if (site.hasDatabase) {
    add(`Back up the database into ${site.backups}.`, async () => {
      await makeDataFolder(site)
      saved = await backUpSite(command, site.backups)
    })
  }
  add(`Check out ${version}, and build it beside what is in use.`, async () => {
    replaced = await commandOfThisBuild(site)
    await remember('unproved', proved)
    progress.isCheckedOut = true
    await build(target, context)
  })
  if (site.hasDatabase) {
    add(`Start ${version} once on a copy of the database.`, async () => {
      isUsable = restore === undefined || (await canUseTables(command))
      if (!isUsable && !restore) throw tablesChanged('this site', version)
      if (isUsable && saved) await tryOn({ version, command, database: 'the database', place }, saved)
    })
  }
  if (site.hasDatabase && restore) {
    add(`Bring back the database from before the update if ${version} cannot use its tables.`, async () => {
      if (isUsable) return
      progress.isSiteTouched = true
      await putBackDatabase(situation, replaced)
    })
  }
  if (service !== undefined) {
    add(`Restart the service ${service.name}, and go back to ${proved.title} where it is not well.`, async () => {
      progress.isSiteTouched = true
      await restart(service, site.address).catch((error) => {
        throw new Error(`${version} is not well: ${reasonOf(error)}`)
      })
    })
  }
  return steps
}

/** With a database on a server there may be none yet. */
async function makeDataFolder({ trial, command }: Site): Promise<void> {
  const folder = dirname(trial)
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (made !== undefined && command.account) await chown(folder, command.account.uid, command.account.gid)
}
