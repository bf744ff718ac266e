import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isGuardedBy, openModeRefusal } from '#db/access/at-start.ts'
import { floodText, listFloods } from '#db/access/floods.ts'
import { type Config, envFileToRead, findMisreadSettings } from '#db/config/config.ts'
import { fileOf, isNew, placeOf, quoteForShell, rsvpCommand, startCommand } from '#db/config/places.ts'
import { UserError } from '#db/errors.ts'
import { findForeignHere, foreignSentence } from '#db/foreign-objects.ts'
import { checkHealth, findDamage } from '#db/health/operations.ts'
import { listOwnAbandoned } from '#db/process/files.ts'
import { countRsvps } from '#db/rsvp/counts.ts'

import { getSchedule } from '#db/schedule/operations.ts'
import { shownTimeZone } from '#db/schedule/read-schedule.ts'
import { formatMoment } from '#db/values/dates.ts'
import type { Context } from '../context.ts'
import { sentencesOf } from '../exit-code.ts'
import { listContradictions, scheduleSentence } from '../schedule.ts'
import { examineAddress } from './address.ts'
import { examineBackup, examineCopies, findBackupInFolder, findRecordedBackup } from './backups.ts'
import { examineClock } from './clock.ts'
import type { Finding } from './finding.ts'

/** Bytes. Less than this is soon used up. */
const LEAST_FREE_SPACE = 100 * 1024 * 1024

/** Runs all checks. Without readable settings there is nothing else to check. */
export async function examine(context: Context): Promise<Finding[]> {
  const node: Finding = { name: 'Node', ok: true, text: process.version }
  try {
    const config = context.readConfig()
    const database = await examineDatabase(config, context)
    const mode = await examineMode(config, context)
    const around = [
      ...examineProxy(config),
      await examineAddress(config, context),
      ...(await examineLeftovers(config, context)),
    ]
    const trouble = findMisreadSettings(envFileToRead())
    const settings: Finding =
      trouble.length === 0
        ? { name: 'Settings', ok: true, text: 'they are understood' }
        : { name: 'Settings', ok: true, warning: true, text: trouble.join(' ') }
    return [node, settings, ...database, ...mode, ...around]
  } catch (error) {
    return [node, failed('Settings', error)]
  }
}

/** Whether only the account of the site can read the database. Where this account may not look, opening it says so. */
async function examinePermissions(file: string): Promise<Finding[]> {
  const name = 'Permissions'
  const found = await stat(file).catch(() => undefined)
  if (found === undefined) return []
  const folder = await stat(dirname(file))
  // Root can use every file, also one that the account of the site cannot.
  if (process.getuid?.() === 0 && folder.uid !== found.uid) {
    const todo = `chown ${folder.uid}:${folder.gid} ${quoteForShell(file)}`
    const text = `The database belongs to another account than its folder: run \`${todo}\` if the site runs as that one.`
    return [{ name, ok: false, text }]
  }
  // A folder that others may open is no fault where the file in it is private.
  if (found.isFile() && process.platform !== 'win32' && (found.mode & 0o077) !== 0) {
    return [
      { name, ok: false, text: `Other accounts can read the database: run \`chmod 600 ${quoteForShell(file)}\`.` },
    ]
  }
  return [{ name, ok: true, text: 'only this account can read the database' }]
}

/**
 * Unfinished files of exports and backups that were killed; they contain responses. Looks in the current folder and in the
 * folders of the database and of the backups: other folders that were exported to are not recorded.
 */
async function examineLeftovers({ backupFolder, databaseUrl }: Config, { io }: Context): Promise<Finding[]> {
  const file = fileOf(databaseUrl)
  const folders = new Set([io.cwd(), ...(file ? [dirname(file)] : []), ...(backupFolder ? [backupFolder] : [])])
  const found = (await Promise.all([...folders].map(listOwnAbandoned))).flat()
  if (found.length === 0) return []
  const text = `Unfinished files hold responses. The next export or backup to their folder removes them: ${found.join(', ')}`
  return [{ name: 'Leftovers', ok: false, text }]
}

/** When services are. That no administrator has confirmed it is a hint only: the site does without. */
async function examineSchedule({ call }: Context): Promise<Finding> {
  const name = 'Schedule'
  const schedule = await getSchedule(call)
  const sentence = scheduleSentence(schedule)
  if (!schedule.confirmed) {
    const hint = 'That is the default; confirm it with `rsvp schedule --weekday …`, and lists show one week at a time.'
    return { name, ok: true, text: `${sentence} ${hint}` }
  }
  const contradictions = await listContradictions(schedule, call)
  if (contradictions.length === 0) return { name, ok: true, text: sentence }
  return { name, ok: true, warning: true, text: contradictions.join(' ') }
}

/** A finding for each flood of the last day: more RSVPs or sign-ins than people send, from all networks together. */
async function examineFloods({ call }: Context): Promise<Finding[]> {
  const floods = await listFloods(call)
  const zone = await shownTimeZone()
  return floods.map(({ kind, at }) => ({ name: 'Flood', ok: false, text: floodText(kind, formatMoment(at, zone)) }))
}

async function examineDatabase(config: Config, context: Context): Promise<Finding[]> {
  const file = fileOf(config.databaseUrl)
  const around = file === undefined ? [] : [...(await examinePermissions(file)), await examineDisk(dirname(file))]
  try {
    await context.openDatabase({ mustExist: true, untouched: true })
    // Before anything else is read: it could run then.
    const objects = await findForeignHere(context.call)
    if (objects.length > 0) {
      const backup = (await findBackupInFolder(config, context)) || 'FILE'
      const command = `${rsvpCommand} backup restore ${quoteForShell(backup)}`
      const todo = `Stop the site and restore a backup from before: ${command}`
      const text = `${foreignSentence(placeOf(config.databaseUrl), objects)} ${todo}`
      return [{ name: 'Database', ok: false, text }, ...around]
    }
    const integrity = await examineIntegrity(config, context)
    if (!integrity.ok) return [integrity, ...around]
    const { attending, notAttending } = await countRsvps({}, context.call)
    const responses = attending + notAttending
    const text = `${responses} responses in ${placeOf(config.databaseUrl)}`
    const backup = await examineBackup(config, context, responses)
    // Writes a row: permissions alone do not show whether something can be stored.
    const writing = await checkHealth(context.call).then(
      () => ({ name: 'Writing', ok: true, text: 'something was stored just now' }),
      (error) => failed('Writing', error),
    )
    const well = [{ name: 'Database', ok: true, text }, integrity, writing]
    const copies = await examineCopies(config, context, responses > 0 && backup.ok)
    const since = [...(await examineClock(context)), await examineSchedule(context), ...(await examineFloods(context))]
    return [...well, ...around, backup, ...copies, ...since]
  } catch (error) {
    return [await noDatabase(config, error, context), ...around]
  }
}

/** A missing database may be a lost one; beside backups it certainly is. */
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
  return { ...finding, text: `There is no database at ${file}. ${todo}` }
}

async function examineIntegrity(config: Config, context: Context): Promise<Finding> {
  const damage = await findDamage(context.call)
  if (damage.length === 0) return { name: 'Integrity', ok: true, text: 'every page and every row is whole' }
  const backup = await findRecordedBackup(config, context)
  const file = backup === undefined ? 'FILE' : quoteForShell(backup)
  const text = `The file is damaged (${damage[0]}). Stop the site and restore a backup: ${rsvpCommand} backup restore ${file}`
  return { name: 'Integrity', ok: false, text }
}

async function examineDisk(folder: string): Promise<Finding> {
  const name = 'Disk'
  const disk = await statfs(folder).catch(() => undefined)
  if (disk === undefined) return { name, ok: false, text: `${folder} cannot be looked at: check DATABASE_URL.` }
  const free = disk.bavail * disk.bsize
  const text = `${Math.floor(free / 1024 / 1024).toLocaleString('en-US')} MB free`
  return free >= LEAST_FREE_SPACE ? { name, ok: true, text } : { name, ok: false, text: `Only ${text}: make room.` }
}

/** A database that cannot be read is another finding; whether it holds a password is unknown then. */
async function examineMode(config: Config, { call }: Context): Promise<Finding[]> {
  const name = 'Mode'
  try {
    const guarded = await isGuardedBy(config, call)
    if (guarded) return [{ name, ok: true, text: 'guarded: only who knows the password may administer' }]
  } catch (error) {
    if (error instanceof UserError && error.code === 'configuration') return [failed(name, error)]
    if (!isNew(config.databaseUrl)) return []
  }
  const refused = openModeRefusal(config)
  if (refused !== undefined) return [{ name, ok: false, text: refused.replace('\n', ' ') }]
  const who = config.openToNetwork
    ? 'everyone who can reach it may administer'
    : 'it is managed from this computer only'
  return [{ name, ok: true, text: `open: ${who}` }]
}

/** The site itself speaks no TLS: an https address means that a proxy is in front of it. */
function examineProxy({ publicUrl = '', trustedProxies }: Config): Finding[] {
  if (!publicUrl.startsWith('https:')) return []
  const name = 'Proxy'
  if (trustedProxies.length > 0)
    return [{ name, ok: true, text: `forwarded addresses from ${trustedProxies.join(', ')} are trusted` }]
  const text = 'All visitors count as the proxy in front: set TRUSTED_PROXIES to its address, e.g. 127.0.0.1.'
  return [{ name, ok: false, text }]
}

function failed(name: string, error: unknown): Finding {
  return { name, ok: false, text: sentencesOf(error).join(' ').replaceAll('\n', ' ') }
}
