import { millisecondsInDay } from 'date-fns/constants'
import { drillSentence, findLastSent, getLastDrills } from '#db/backup/copies/history.ts'
import { assertEncrypted } from '#db/backup/copies/open-place.ts'
import { maximumAge } from '#db/backup/due.ts'
import type { Config } from '#db/config/config.ts'
import type { Context } from '../context.ts'
import { sentencesOf } from '../exit-code.ts'
import { agoOf } from './ago.ts'
import type { Finding } from './finding.ts'

/** The site makes a drill every 30 days, and one that fails again every day. */
const MAXIMUM_DRILL_AGE_MS = 40 * millisecondsInDay

/**
 * When the last copy was sent elsewhere, and whether it is known that it can be restored. Asks the database, not the place.
 * @param hasBackup without one there can be no copy of it either, and that is said elsewhere.
 */
export async function examineCopies(config: Config, context: Context, hasBackup: boolean): Promise<Finding[]> {
  if (config.copies.place === undefined && config.backupFolder === undefined) return []
  return [...(await examineSent(config, context, hasBackup)), ...(await examineDrill(config, context, hasBackup))]
}

async function examineSent(
  { copies, backupFolder }: Config,
  { call }: Context,
  hasBackup: boolean,
): Promise<Finding[]> {
  const name = 'Copies'
  if (copies.place === undefined) return []
  try {
    assertEncrypted(copies)
  } catch (error) {
    return [{ name, ok: false, text: sentencesOf(error).join(' ') }]
  }
  const { title } = copies.place
  const at = await findLastSent(copies)
  if (at === undefined) {
    return hasBackup ? [{ name, ok: false, text: `None has been sent to ${title}: run \`rsvp backup\`.` }] : []
  }
  const age = call.now.getTime() - new Date(at).getTime()
  const sent = `the last one was sent to ${title} ${agoOf(age)}`
  if (age <= maximumAge(backupFolder)) return [{ name, ok: true, text: sent }]
  return [{ name, ok: false, text: `${sent}. Run \`rsvp backup\`, and see why no newer one was sent.` }]
}

async function examineDrill({ copies }: Config, { call }: Context, hasBackup: boolean): Promise<Finding[]> {
  const name = 'Restore drill'
  const { last, passed } = await getLastDrills()
  if (last !== undefined && !last.passed) return [{ name, ok: false, text: drillSentence(last) }]
  if (passed !== undefined) {
    const age = call.now.getTime() - new Date(passed.at).getTime()
    const text = `the newest backup was restored beside the database ${agoOf(age)}`
    if (age <= MAXIMUM_DRILL_AGE_MS) return [{ name, ok: true, text }]
    return [{ name, ok: true, warning: true, text: `${text}. Run \`rsvp backup verify\`.` }]
  }
  if (!hasBackup) return []
  const todo =
    copies.place !== undefined && copies.identityFile === undefined
      ? 'Set BACKUP_COPY_IDENTITY_FILE, or run `rsvp backup verify` on a machine that has the identity.'
      : 'Start the site, which makes one every month, or run `rsvp backup verify`.'
  return [{ name, ok: true, warning: true, text: `It is not known whether a backup can be restored. ${todo}` }]
}
