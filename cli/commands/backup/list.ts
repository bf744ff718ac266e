import { stat } from 'node:fs/promises'
import { openPlace } from '#db/backup/copies/open-place.ts'
import { countsIn, listBackups, momentOfBackup, momentOfCopy, sortedCopies } from '#db/backup/names.ts'
import type { Config } from '#db/config/config.ts'
import type { Context } from '../../context.ts'
import { surroundingsOf } from '../../database/surroundings.ts'
import { printJson, printRows, say } from '../../output/output.ts'

/** A backup; `responses` is known of a copy, from its name. */
type Listed = { at: string; bytes: number; file: string; responses?: number }

/** Lists the backups and their copies, the newest first. What is here is listed even if the other place is away. */
export async function run({ json }: { json?: true }, context: Context): Promise<void> {
  const here = await listHere(context)
  const elsewhere = await listElsewhere(context).catch((error: unknown) => ({ error }))
  const all = [...here, ...('error' in elsewhere ? [] : elsewhere)].toSorted((a, b) => (a.at < b.at ? 1 : -1))
  if (json) await printJson(all, context.io)
  else
    await printRows(
      all.map(({ at, bytes, file }) => [at, bytes, file]),
      context.io,
    )
  if ('error' in elsewhere) throw elsewhere.error
  if (all.length === 0 && !context.quiet) say(noneSentence(context.readConfig()), context.io)
}

function noneSentence({ backupFolder, copies }: Config): string {
  const places = [backupFolder, copies.place?.title].filter((place) => place !== undefined)
  if (places.length > 0) return `There is no backup in ${places.join(' or ')}: \`rsvp backup\` makes one.`
  return 'BACKUP_DIR is not set, so no folder is known to hold backups. Set it, or look where `rsvp backup --out` put them.'
}

async function listHere(context: Context): Promise<Listed[]> {
  const { backupFolder } = context.readConfig()
  const listed: Listed[] = []
  for (const file of backupFolder === undefined ? [] : await listBackups(backupFolder)) {
    const found = await stat(file).catch(() => undefined)
    if (found !== undefined) listed.push({ at: momentOfBackup(file).toISOString(), bytes: found.size, file })
  }
  return listed
}

async function listElsewhere(context: Context): Promise<Listed[]> {
  const { copies } = context.readConfig()
  if (copies.place === undefined) return []
  const { title, list } = await openPlace(copies, surroundingsOf(context))
  return sortedCopies(await list()).map(({ name, bytes }) => ({
    at: momentOfCopy(name).toISOString(),
    bytes,
    file: `${title}/${name}`,
    responses: countsIn(name).responses,
  }))
}
