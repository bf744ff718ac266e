import {
  changeAdministrator,
  inviteAdministrator,
  listAdministrators,
  removeAdministrator,
  renewInvitation,
} from '#db/access/administrators.ts'
import type { Administrator } from '#db/access/schema.ts'
import type { Call } from '#db/operation.ts'
import { shownTimeZone } from '#db/schedule/read-schedule.ts'
import { getSettings } from '#db/settings/operations.ts'
import { formatMoment } from '#db/values/dates.ts'
import { emailAddress } from '#db/values/schemas.ts'
import type { Context } from '../context.ts'
import { notFoundError, usageError } from '../exit-code.ts'
import { print, printJson, printTable, say } from '../output/output.ts'
import { displayed } from '../output/plain-text.ts'
import { confirm } from '../questions.ts'
import type { Column } from '../ui/Table.tsx'

const NOT_PUBLIC = 'Only this computer can open it: set PUBLIC_URL to the address that people use.'

type Details = { name?: string; email?: string; role?: string; contacts?: boolean; prayers?: string }

export async function listAdmins({ json }: { json?: true }, { call, io }: Context): Promise<void> {
  const things = await listAdministrators(call)
  const zone = await shownTimeZone()
  const seen = ({ seenAt, invitedUntil }: Administrator) => {
    if (invitedUntil !== null) return `invited until ${formatMoment(invitedUntil, zone)}`
    return seenAt === null ? 'never' : formatMoment(seenAt, zone)
  }
  const cells = ({ id, name, email, role, seenAt, invitedUntil }: Administrator) => [
    ...[id, name, email ?? '', role],
    ...[seenAt ?? '', invitedUntil ?? ''],
  ]
  const columns: Column<Administrator>[] = [
    { title: 'Id', text: ({ id }) => String(id), least: 4, grow: 0 },
    { title: 'Name', text: ({ name }) => displayed(name), least: 14, grow: 2 },
    { title: 'Role', text: ({ role }) => role, least: 6, grow: 0 },
    { title: 'Email', text: ({ email }) => displayed(email ?? ''), least: 20, grow: 2 },
    { title: 'Last seen', text: seen, least: 22, grow: 1 },
  ]
  await printTable(json, { things, cells, columns }, io)
}

/** Invites someone; or, without a name, makes a new link for someone who is an administrator already. */
export async function invite(
  { owner, json, ...details }: Details & { owner?: string | true; json?: true },
  context: Context,
): Promise<void> {
  const { call, quiet, io } = context
  const email = details.email ?? (typeof owner === 'string' ? owner : undefined)
  const present = details.name === undefined ? await findInvited(email, call) : undefined
  if (present !== undefined && (details.role ?? details.contacts ?? details.prayers) !== undefined)
    throw usageError(
      'A new link does not change what this person may do: an owner does that at Settings, Administrators.',
    )
  if (present !== undefined && owner !== undefined && present.role !== 'owner')
    await changeAdministrator({ id: String(present.id), role: 'owner' }, call)
  const { contacts, ...named } = details
  const role = owner === undefined ? details.role : 'owner'
  const { id, key } =
    present === undefined
      ? await inviteAdministrator({ ...named, email, role, seesContacts: contacts }, call)
      : await renewInvitation({ id: String(present.id) }, call)
  const { address: link, isPublic } = await findAddress(`/invitation?key=${key}`, context)
  if (json) await printJson({ id, link }, io)
  else await print(`${link}\n`, io)
  if (quiet) return
  say('Send this link to the person. It works once, for seven days, and cannot be shown again.', io)
  if (!isPublic) say(NOT_PUBLIC, io)
}

/** @throws CommandError 'usage' when it is not said who is meant, 'notFound' when no one has this email. */
async function findInvited(email: string | undefined, call: Call): Promise<Administrator> {
  if (email !== undefined) return findAdmin(email, call)
  const [only, ...others] = (await listAdministrators(call)).filter(({ role }) => role === 'owner')
  if (only !== undefined && others.length === 0) return only
  throw usageError('Say whom: give --name, --email and --role, or the --email of an administrator for a new link.')
}

export async function removeAdmin(
  word: string,
  { yes, json }: { yes?: true; json?: true },
  context: Context,
): Promise<void> {
  const { call, quiet, io } = context
  const { id, name, role } = await findAdmin(word, call)
  if (!yes) await confirm(`Remove ${displayed(name)} (${role}), and sign them out everywhere?`, context)
  await removeAdministrator({ id: String(id) }, call)
  if (json) await printJson({ removed: id }, io)
  else if (!quiet) say('Removed, and signed out everywhere. The audit keeps the name.', io)
}

/** The address of a page, as people open it: with PUBLIC_URL or, without it, the public address in the settings. */
export async function findAddress(path: string, { readConfig, call }: Context) {
  const { publicUrl, port } = readConfig()
  const origin = publicUrl ?? (await getSettings(call)).publicUrl
  return { address: `${origin ?? `http://localhost:${port}`}${path}`, isPublic: origin !== null }
}

/** @throws CommandError 'notFound' when no administrator has this id or email. */
export async function findAdmin(word: string, call: Call): Promise<Administrator> {
  const email = emailAddress.safeParse(word).data?.toLowerCase()
  const found = (await listAdministrators(call)).find(
    (each) => String(each.id) === word || (email && each.email === email),
  )
  if (found !== undefined) return found
  throw notFoundError('There is no such administrator: see `rsvp admins list`.')
}
