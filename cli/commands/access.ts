import { listAdministrators } from '#db/access/administrators.ts'
import { exportAudit, listAudit } from '#db/access/audit-log.ts'
import { makeCode } from '#db/access/first-owner.ts'
import { endSessions, listSessions, type Session } from '#db/access/sessions.ts'
import { isGuarded, setPassword, setPasswordOf } from '#db/access/setup.ts'
import type { AuditEntry } from '#db/audit/schema.ts'
import { isNew, placeOf } from '#db/config/places.ts'
import { shownTimeZone } from '#db/schedule/read-schedule.ts'
import { formatMoment } from '#db/values/dates.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes, failure, notFoundError, usageError } from '../exit-code.ts'
import { idsOf } from '../given.ts'
import { counted, print, printJson, printTable, say } from '../output/output.ts'
import { displayed } from '../output/plain-text.ts'
import { readNewPassword } from '../questions.ts'
import type { Column } from '../ui/Table.tsx'
import { findAdmin } from './admins.ts'
import { findAddress, NOT_PUBLIC } from './share.ts'

/**
 * Sets the password of the only administrator, or of the one with the email of --of. It is asked for twice, or read from
 * standard input.
 */
export async function password({ of }: { of?: string }, context: Context): Promise<void> {
  const { adminPassword, adminPasswordFile, databaseUrl } = context.readConfig()
  if (of === undefined && (adminPassword !== undefined || adminPasswordFile !== undefined)) {
    const name = adminPassword === undefined ? 'ADMIN_PASSWORD_FILE' : 'ADMIN_PASSWORD'
    throw new CommandError(exitCodes.configuration, `The site takes its password from ${name}. Change it there.`)
  }
  // Opened before the question, to fail early; a new database is created only once there is a usable password.
  const person = isNew(databaseUrl) && of === undefined ? undefined : await findPerson(of, context)
  const given = await readNewPassword('New password, 12 to 128 characters: ', context)
  await context.openDatabase({ mustExist: false })
  if (of === undefined) await setPassword(given, context.call)
  else await setPasswordOf({ email: of, password: given }, context.call)
  if (context.quiet) return
  const place = placeOf(databaseUrl)
  say(
    person === undefined
      ? `The password is set in ${place}. The site that uses it is guarded from now on: sign in at /admin.`
      : `The password in ${place} is changed. The person is signed out in every browser.`,
    context.io,
  )
}

/** Whose password it will be; undefined while the site is open. */
async function findPerson(email: string | undefined, { call, openDatabase }: Context) {
  await openDatabase({ mustExist: true })
  if (email !== undefined) return findAdmin(email, call)
  const [only, ...others] = await listAdministrators(call)
  if (others.length === 0) return only
  throw usageError('There are several administrators. Say whose password it is, with --of EMAIL.')
}

/** Makes the code with which someone at another computer may guard an open site. */
export async function code({ json }: { json?: true }, context: Context): Promise<void> {
  const { call, quiet, io } = context
  if (await isGuarded(call)) {
    throw failure(
      'This site is guarded: an owner invites others under Settings. If no owner can sign in, `rsvp admins invite --owner` makes a link.',
    )
  }
  const made = await makeCode(call)
  const { address, isPublic } = await findAddress('/guard', context)
  if (json) return printJson({ code: made, address }, io)
  await print(`${made}\n`, io)
  if (quiet) return
  say(`Type it at ${address} to guard the site. It works once, and an earlier code no longer does.`, io)
  if (!isPublic) say(NOT_PUBLIC, io)
}

/** Shows who is signed in, or signs some of them out. */
export async function sessions(options: { end?: string[]; json?: true }, context: Context): Promise<void> {
  if (options.end !== undefined) return end(options.end, options.json, context)
  const things = await listSessions(context.call)
  const zone = await shownTimeZone()
  const cells = ({ id, createdAt, usedAt, endsAt, administrator, browser }: Session) => [
    ...[id, createdAt, usedAt, endsAt],
    ...[administrator, browser],
  ]
  const columns: Column<Session>[] = [
    { title: 'Id', text: ({ id }) => String(id), least: 4, grow: 0 },
    { title: 'Who', text: ({ administrator }) => displayed(administrator), least: 14, grow: 2 },
    { title: 'Browser', text: ({ browser }) => displayed(browser), least: 18, grow: 1 },
    { title: 'Last used', text: ({ usedAt }) => formatMoment(usedAt, zone), least: 22, grow: 0 },
    { title: 'Signed in', text: ({ createdAt }) => formatMoment(createdAt, zone), least: 22, grow: 0 },
    { title: 'Ends', text: ({ endsAt }) => formatMoment(endsAt, zone), least: 22, grow: 0 },
  ]
  await printTable(options.json, { things, cells, columns }, context.io)
}

async function end(words: string[], json: true | undefined, { call, quiet, io }: Context): Promise<void> {
  const isAll = words.length === 1 && words[0] === 'all'
  const ids = isAll ? [] : idsOf(words)
  const ended = await endSessions(isAll ? 'all' : ids, call)
  if (json) await printJson({ ended }, io)
  else if (!quiet) say(`Ended ${counted(ended.length, 'session')}.`, io)
  const missing = ids.filter((id) => !ended.includes(id))
  if (missing.length > 0) throw notFoundError(`Not found: ${missing.join(', ')}.`)
}

type AuditOptions = { limit?: number; of?: string; action?: string; csv?: true; json?: true }

export async function audit(options: AuditOptions, context: Context): Promise<void> {
  const { call, io } = context
  const filter = { who: options.of, action: options.action }
  if (options.csv) {
    const { printShown } = await import('./export.ts')
    return printShown(await exportAudit(filter, call), context)
  }
  const things = await listAudit({ ...filter, limit: options.limit }, call)
  const zone = await shownTimeZone()
  const who = ({ name, actor }: AuditEntry) => name ?? actor
  const cells = (entry: AuditEntry) => [entry.at, who(entry), entry.action, entry.about]
  const columns: Column<AuditEntry>[] = [
    { title: 'When', text: ({ at }) => formatMoment(at, zone), least: 22, grow: 0 },
    { title: 'Who', text: (entry) => displayed(who(entry)), least: 12, grow: 1, spare: true },
    { title: 'What', text: ({ action }) => action, least: 16, grow: 1 },
    { title: 'Of', text: ({ about }) => displayed(about), least: 10, grow: 2 },
  ]
  await printTable(options.json, { things, cells, columns }, io)
}
