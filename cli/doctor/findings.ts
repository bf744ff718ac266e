import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { millisecondsInDay } from 'date-fns/constants'
import { listAdministrators } from '#db/access/administrators.ts'
import { isGuardedBy, openModeRefusal } from '#db/access/at-start.ts'
import { floodText, listFloods } from '#db/access/floods.ts'
import type { Administrator } from '#db/access/schema.ts'
import { doubtSentence, findRemovalDoubt } from '#db/clock/clock.ts'
import { type Config, envFileToRead, findMisreadSettings } from '#db/config/config.ts'
import { fileOf, isNew, placeOf, quoteForShell, rsvpCommand, startCommand } from '#db/config/places.ts'
import { UserError } from '#db/errors.ts'
import { findForeignHere, foreignSentence } from '#db/foreign-objects.ts'
import { findForeignValuesHere } from '#db/foreign-values.ts'
import { checkHealth, findDamage } from '#db/health/operations.ts'
import { getMailState, NO_ADDRESS } from '#db/mail/operations.ts'
import { listAbandoned } from '#db/process/files.ts'
import { countRsvps } from '#db/rsvp/counts.ts'
import { type Due, getDue } from '#db/rsvp/purge.ts'
import { getSchedule } from '#db/schedule/operations.ts'
import { shownTimeZone } from '#db/schedule/read-schedule.ts'
import { getSettings } from '#db/settings/operations.ts'
import { mountAdvice } from '#db/storage/local-file.ts'
import { formatMoment } from '#db/values/dates.ts'
import type { Context } from '../context.ts'
import { sentencesOf } from '../exit-code.ts'
import { counted } from '../output/output.ts'
import { listContradictions, scheduleSentence } from '../schedule.ts'
import { examineAddress } from './address.ts'
import { examineBackup, examineCopies, findBackupInFolder, findRecordedBackup } from './backups.ts'
import { type Finding, fine, warning, wrong } from './finding.ts'

/** In bytes; less is soon used up. */
const LEAST_FREE_SPACE = 100 * 1024 * 1024
const AWAY_MS = 90 * millisecondsInDay

/** Runs all checks. Without readable settings there is nothing else to check. */
export async function examine(context: Context): Promise<Finding[]> {
  const node = fine('Node', process.version)
  try {
    const config = context.readConfig()
    const misread = findMisreadSettings(envFileToRead())
    const findings = [
      node,
      misread.length === 0 ? fine('Settings', 'they are understood') : warning('Settings', misread.join(' ')),
      ...(await examineDatabase(config, context)),
      await examineMode(config, context),
      examineProxy(config),
      await examineAddress(config, context),
      await examineLeftovers(config, context),
    ]
    return findings.filter((finding) => finding !== undefined)
  } catch (error) {
    return [node, failed('Settings', error)]
  }
}

async function examineDatabase(config: Config, context: Context): Promise<Finding[]> {
  const file = fileOf(config.databaseUrl)
  const around = file === undefined ? [] : [...(await examinePermissions(file)), await examineDisk(dirname(file))]
  try {
    await context.openDatabase({ mustExist: true, untouched: true })
    // Before anything else is read: any read could run it.
    const objects = await findForeignHere(context.call)
    const [damage] = objects.length > 0 ? [] : await findDamage(context.call)
    const values = objects.length > 0 || damage !== undefined ? [] : await findForeignValuesHere(context.call)
    const foreign = objects.concat(values)
    if (foreign.length > 0) {
      const backup = (await findBackupInFolder(config, context)) || 'FILE'
      const command = `${rsvpCommand} backup restore ${quoteForShell(backup)}`
      const todo = `Stop the site and restore a backup from before: ${command}`
      return [wrong('Database', `${foreignSentence(placeOf(config.databaseUrl), foreign)} ${todo}`), ...around]
    }
    if (damage !== undefined) {
      const recorded = await findRecordedBackup(config, context)
      const backup = recorded === undefined ? 'FILE' : quoteForShell(recorded)
      const todo = `Stop the site and restore a backup: ${rsvpCommand} backup restore ${backup}`
      return [wrong('Integrity', `The file is damaged (${damage}). ${todo}`), ...around]
    }
    const { attending, notAttending } = await countRsvps({}, context.call)
    const responses = attending + notAttending
    const backup = await examineBackup(config, context, responses)
    return [
      fine('Database', `${responses} responses in ${placeOf(config.databaseUrl)}`),
      fine('Integrity', 'every page and every row is whole'),
      // Writes a row: permissions alone do not show whether something can be stored.
      await checkHealth(context.call).then(
        () => fine('Writing', 'something was stored just now'),
        (error) => failed('Writing', error),
      ),
      ...around,
      backup,
      ...(await examineCopies(config, context, responses > 0 && backup.ok)),
      ...(await examineClock(context)),
      await examineSchedule(context),
      ...(await examineFloods(context)),
      ...(await examineMail(config, context)),
    ]
  } catch (error) {
    return [await noDatabase(config, error, context), ...around]
  }
}

/** A missing database may have been lost; if there are backups, it was. */
async function noDatabase(config: Config, error: unknown, context: Context): Promise<Finding> {
  const finding = failed('Database', error)
  const file = fileOf(config.databaseUrl)
  if (file === undefined) return finding
  const backup = await findBackupInFolder(config, context)
  const command = `backup restore ${backup ? quoteForShell(backup) : 'FILE'}`
  const code = await stat(file).then(String, (reason) => reason.code)
  if (code !== 'ENOENT') return { ...finding, text: finding.text.replace('backup restore FILE', () => command) }
  const todo = backup
    ? `Stop the site and restore a backup: ${rsvpCommand} ${command}`
    : `Restore a backup with \`${rsvpCommand} ${command}\`. If there never was a database, start the site once with ` +
      `\`${startCommand}\`, or check DATABASE_URL.`
  return wrong('Database', `There is no database at ${file}. ${todo}`)
}

/** Whether only the site's account can read the database. If this account may not look, opening it says so. */
async function examinePermissions(file: string): Promise<Finding[]> {
  const found = await stat(file).catch(() => undefined)
  if (found === undefined) return []
  const folder = await stat(dirname(file))
  // Root can open every file, even one that the site's account cannot.
  if (process.getuid?.() === 0 && folder.uid !== found.uid) {
    const todo = `run \`chown ${folder.uid}:${folder.gid} ${quoteForShell(file)}\` if the site runs as that one.`
    return [wrong('Permissions', `The database belongs to another account than its folder: ${todo}`)]
  }
  // Others may open the folder as long as the file in it is private.
  if (found.isFile() && process.platform !== 'win32' && (found.mode & 0o077) !== 0) {
    const advice = await mountAdvice(file)
    if (advice !== undefined) return [warning('Permissions', advice)]
    const todo = `run \`chmod 600 ${quoteForShell(file)}\`.`
    return [wrong('Permissions', `Other accounts can read the database: ${todo}`)]
  }
  return [fine('Permissions', 'only this account can read the database')]
}

async function examineDisk(folder: string): Promise<Finding> {
  const disk = await statfs(folder).catch(() => undefined)
  if (disk === undefined) return wrong('Disk', `${folder} cannot be looked at: check DATABASE_URL.`)
  const free = disk.bavail * disk.bsize
  const text = `${Math.floor(free / 1024 / 1024).toLocaleString('en-US')} MB free`
  return free >= LEAST_FREE_SPACE ? fine('Disk', text) : wrong('Disk', `Only ${text}: make room.`)
}

/** Whether the clock is trusted, and what is due to be purged: nothing while the clock is in doubt. */
async function examineClock({ call }: Context): Promise<Finding[]> {
  const doubt = await findRemovalDoubt(call)
  const { anonymize, erase } = await getDue(call)
  const zone = await shownTimeZone()
  const isDue = [anonymize, erase].some((due) => due && (due.now > 0 || due.next))

  /** E.g. `3 responses lose names now, and 12 from Dec 1, 2026, 9:00 AM on`; undefined if nothing is due. */
  function textOf({ now, next }: Due, one: string, verbs: { one: string; many: string; doubtful: string }) {
    const verb = (count: number) => (doubt ? verbs.doubtful : count === 1 ? verbs.one : verbs.many)
    const told = (count: number) => `${counted(count, one)} ${verb(count)}`
    const later = next && formatMoment(next.at, zone)
    const trusted = 'once the clock is trusted'
    if (now > 0) return `${told(now)} ${doubt ? trusted : 'now'}${next ? `, and ${next.count} from ${later} on` : ''}`
    return next && `${told(next.count)} from ${later} on${doubt ? `, ${trusted}` : ''}`
  }

  const losing = { one: 'loses names', many: 'lose names', doubtful: 'would lose names' }
  const erasing = { one: 'is erased', many: 'are erased', doubtful: 'would be erased' }
  const anonymized =
    anonymize === undefined ? 'no response, as no retention is set' : textOf(anonymize, 'response', losing)
  const text = `${anonymized ?? 'no response'}; ${textOf(erase, 'deleted response', erasing) ?? 'no deleted response'}`
  return [
    doubt === undefined
      ? fine('Clock', 'the clock is trusted')
      : (doubt.stops === 'everything' ? wrong : warning)('Clock', doubtSentence(doubt)),
    doubt && isDue ? warning('Due', text) : fine('Due', text),
  ]
}

/** An unconfirmed schedule is only a hint: the site works without one. */
async function examineSchedule({ call }: Context): Promise<Finding> {
  const schedule = await getSchedule(call)
  const sentence = scheduleSentence(schedule)
  if (!schedule.confirmed) {
    const hint = 'That is the default; confirm it with `rsvp schedule --weekday …`, and lists show one week at a time.'
    return fine('Schedule', `${sentence} ${hint}`)
  }
  const contradictions = await listContradictions(schedule, call)
  return contradictions.length === 0 ? fine('Schedule', sentence) : warning('Schedule', contradictions.join(' '))
}

/** Nothing without a mail server. Messages that failed stay a finding for 30 days, or until they are queued again. */
async function examineMail({ mail, publicUrl }: Config, { call }: Context): Promise<Finding[]> {
  if (mail === undefined) return []
  const name = 'Mail'
  const { trouble, waiting, failed } = await getMailState(call)
  if (publicUrl === undefined && (await getSettings(call)).publicUrl === null) return [wrong(name, NO_ADDRESS)]
  if (trouble !== null) return [wrong(name, `${counted(waiting, 'message')} waiting. ${trouble}`)]
  const [newest] = failed
  if (newest === undefined) return [fine(name, `${counted(waiting, 'message')} waiting, none failed`)]
  const todo = `${rsvpCommand} mail queue lists them, ${rsvpCommand} mail retry sends them again.`
  return [warning(name, `${counted(failed.length, 'message')} failed. ${newest.failure} ${todo}`)]
}

/** A finding for each flood of the last day: more RSVPs or sign-ins than people send, from all networks together. */
async function examineFloods({ call }: Context): Promise<Finding[]> {
  const floods = await listFloods(call)
  const zone = await shownTimeZone()
  return floods.map(({ kind, at }) => wrong('Flood', floodText(kind, formatMoment(at, zone))))
}

/** If the database cannot be read, which is another finding, it is unknown whether it has a password. */
async function examineMode(config: Config, { call }: Context): Promise<Finding | undefined> {
  try {
    const guarded = await isGuardedBy(config, call)
    if (guarded) return guardedFinding(await listAdministrators(call), call.now)
  } catch (error) {
    if (error instanceof UserError && error.code === 'configuration') return failed('Mode', error)
    if (!isNew(config.databaseUrl)) return undefined
  }
  const refused = openModeRefusal(config)
  if (refused !== undefined) return wrong('Mode', refused.replace('\n', ' '))
  const who = config.openToNetwork
    ? 'everyone who can reach it may administer'
    : 'it is managed from this computer only'
  return fine('Mode', `open: ${who}`)
}

/** An only owner who stays away may have lost the way in, and no one could let them in again from the browser. */
function guardedFinding(people: Administrator[], now: Date): Finding {
  const owners = people.filter(({ role }) => role === 'owner')
  const text = `guarded: ${counted(people.length, 'administrator')}, ${counted(owners.length, 'owner')}`
  // The password of the settings makes its owner when the site starts.
  if (people.length === 0) return fine('Mode', 'guarded from the next start: the settings give a password')
  const isAway = owners.every(({ seenAt }) => seenAt !== null && now.getTime() - Date.parse(seenAt) > AWAY_MS)
  const advice = `No owner was there for 90 days: \`${rsvpCommand} admins invite --owner\` makes a new link.`
  return isAway ? warning('Mode', `${text}. ${advice}`) : fine('Mode', text)
}

/** The site itself speaks no TLS: an https address means that a proxy is in front of it. */
function examineProxy({ publicUrl = '', trustedProxies }: Config): Finding | undefined {
  if (!publicUrl.startsWith('https:')) return undefined
  return trustedProxies.length > 0
    ? fine('Proxy', `forwarded addresses from ${trustedProxies.join(', ')} are trusted`)
    : wrong('Proxy', 'All visitors count as the proxy in front: set TRUSTED_PROXIES to its address, e.g. 127.0.0.1.')
}

/**
 * Unfinished files of exports and backups that were killed; they contain responses. Looks in the current folder and in
 * the folders of the database and of the backups: other export folders are not recorded.
 */
async function examineLeftovers({ backupFolder, databaseUrl }: Config, { io }: Context): Promise<Finding | undefined> {
  const file = fileOf(databaseUrl)
  const folders = new Set([io.cwd(), ...(file ? [dirname(file)] : []), ...(backupFolder ? [backupFolder] : [])])
  const found = (await Promise.all([...folders].map(listAbandoned))).flat()
  if (found.length === 0) return undefined
  const todo = 'The next export or backup to their folder removes them'
  return wrong('Leftovers', `Unfinished files contain responses. ${todo}: ${found.join(', ')}`)
}

function failed(name: string, error: unknown): Finding {
  return wrong(name, sentencesOf(error).join(' ').replaceAll('\n', ' '))
}
