import { text } from 'node:stream/consumers'
import { firstLine } from '#db/access/at-start.ts'
import { endSessions, listSessions, type Session } from '#db/access/sessions.ts'
import { isGuarded, setPassword } from '#db/access/setup.ts'
import { type AuditEntry, listAudit } from '#db/audit/operations.ts'
import { isNew, placeOf } from '#db/config/places.ts'
import { shownTimeZone } from '#db/schedule/read-schedule.ts'
import { formatMoment } from '#db/values/dates.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes, notFoundError } from '../exit-code.ts'
import { idsOf } from '../given.ts'
import { counted, printJson, printTable, say } from '../output/output.ts'
import { displayed } from '../output/plain-text.ts'
import { askNewPassword, usablePassword } from '../questions.ts'
import type { Column } from '../ui/Table.tsx'

/** Sets the administrator's password, asked for twice, or read from standard input. */
export async function password(_options: object, context: Context): Promise<void> {
  const { adminPassword, adminPasswordFile, databaseUrl } = context.readConfig()
  if (adminPassword !== undefined || adminPasswordFile !== undefined) {
    const name = adminPassword === undefined ? 'ADMIN_PASSWORD_FILE' : 'ADMIN_PASSWORD'
    throw new CommandError(exitCodes.configuration, `The site takes its password from ${name}. Change it there.`)
  }
  // Opened before the question, to fail early; a new database is created only once there is a usable password.
  if (!isNew(databaseUrl)) await context.openDatabase({ mustExist: true })
  const given = context.io.stdin.isTTY
    ? await askNewPassword('New password, 12 to 128 characters: ', context)
    : usablePassword(firstLine(await text(context.io.stdin)))
  await context.openDatabase({ mustExist: false })
  const before = await isGuarded(context.call)
  await setPassword(given, context.call)
  if (context.quiet) return
  const place = placeOf(databaseUrl)
  say(
    before
      ? `The password in ${place} is changed. All administrators are signed out.`
      : `The password is set in ${place}. The site that uses it is guarded from now on: sign in at /admin.`,
    context.io,
  )
}

/** Shows who is signed in, or signs some of them out. */
export async function sessions(options: { end?: string[]; json?: true }, context: Context): Promise<void> {
  if (options.end !== undefined) return end(options.end, options.json, context)
  const things = await listSessions(context.call)
  const zone = await shownTimeZone()
  const cells = ({ id, createdAt, usedAt, endsAt }: Session) => [id, createdAt, usedAt, endsAt]
  const columns: Column<Session>[] = [
    { title: 'Id', text: ({ id }) => String(id), least: 4, grow: 0 },
    { title: 'Signed in', text: ({ createdAt }) => formatMoment(createdAt, zone), least: 22, grow: 1 },
    { title: 'Last used', text: ({ usedAt }) => formatMoment(usedAt, zone), least: 22, grow: 1 },
    { title: 'Ends', text: ({ endsAt }) => formatMoment(endsAt, zone), least: 22, grow: 1 },
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

export async function audit(options: { limit?: number; json?: true }, { call, io }: Context): Promise<void> {
  const things = await listAudit({ limit: options.limit }, call)
  const zone = await shownTimeZone()
  const cells = ({ at, actor, action, subject }: AuditEntry) => [at, actor, action, subject]
  const columns: Column<AuditEntry>[] = [
    { title: 'When', text: ({ at }) => formatMoment(at, zone), least: 22, grow: 0 },
    { title: 'Who', text: ({ actor }) => displayed(actor), least: 12, grow: 0, spare: true },
    { title: 'What', text: ({ action }) => action, least: 16, grow: 1 },
    { title: 'Of', text: ({ subject }) => displayed(subject), least: 10, grow: 2 },
  ]
  await printTable(options.json, { things, cells, columns }, io)
}
