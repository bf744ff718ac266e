import { Option } from '@commander-js/extra-typings'
import {
  changeAdministrator,
  inviteAdministrator,
  listAdministrators,
  removeAdministrator,
  renewInvitation,
} from '#db/access/administrators.ts'
import { shownTimeZone } from '#db/schedule.ts'
import { getSettings } from '#db/settings.ts'
import type { Administrator } from '#db/values/access.ts'
import { formatMoment } from '#db/values/dates.ts'
import { roles } from '#db/values/roles.ts'
import { emailAddress } from '#db/values/schemas.ts'
import type { Declare } from '../command.ts'
import { notFoundError, usageError } from '../errors.ts'
import { examples } from '../options.ts'
import { confirm, outputKind, print, printJson, printRows, report, say } from '../output.ts'
import { displayed } from '../plain-text.ts'
import type { Column } from '../ui/Table.tsx'

export const declare: Declare = (command, run) => {
  command
    .description(
      'An owner may do everything. A clerk may not change administrators, how long responses are kept and backups, nor ' +
        'erase for good. A reader sees the numbers and the sheet. Without a subcommand, `rsvp admins` lists them.',
    )
    .addHelpText('after', examples('rsvp admins', 'rsvp admins remove 3'))

  command
    .command('list', { isDefault: true })
    .summary('list the administrators')
    .description(
      'Lists the administrators: id, name, email, role, when last seen, and until when an invitation works. The word ' +
        'list can be left out.',
    )
    .option('--json', 'print a JSON array')
    .addHelpText('after', examples('rsvp admins list', 'rsvp admins list --json | jq length'))
    .action(
      run('database', async ({ json }, { io }) => {
        const administrators = await listAdministrators()
        const kind = outputKind(json, io)
        if (kind === 'json') return printJson(administrators, io)
        if (kind === 'lines') return printRows(administrators.map(cellsOf), io)
        const { renderTable } = await import('../ui/Table.tsx')
        await print(renderTable(administrators, columnsOf(await shownTimeZone()), io.stdout.columns), io)
      }),
    )

  command
    .command('invite')
    .summary('invite an administrator')
    .description(
      'Prints a link with which a new administrator chooses a passkey or a password: it works once, for seven days. ' +
        'With the --email of an administrator and no --name it prints a new link for that person, who has lost the way ' +
        'in. --owner does so for an owner: without an email, for the only one.',
    )
    .option('--name <name>', 'the name of a new administrator')
    .option('--email <email>', 'the email')
    .addOption(new Option('--role <role>', 'what they may do').choices(roles))
    .addOption(new Option('--owner', 'make this person an owner').conflicts('role'))
    .option('--json', 'print the id and the link')
    .addHelpText(
      'after',
      examples(
        'rsvp admins invite --name "Ruth Cole" --email ruth@example.org --role clerk',
        'rsvp admins invite --owner',
      ),
    )
    .action(
      run('database', async ({ owner, json, ...details }, context) => {
        const { call, io, readConfig } = context
        const existing = details.name === undefined ? await findInvited(details.email) : undefined
        if (existing !== undefined && details.role !== undefined)
          throw usageError(
            'A new link does not change what this person may do: an owner does that at Settings › Server › Administrators.',
          )
        if (existing !== undefined && owner && existing.role !== 'owner')
          await changeAdministrator({ id: String(existing.id), role: 'owner' }, call)
        const role = owner ? 'owner' : details.role
        const { id, key } =
          existing === undefined
            ? await inviteAdministrator({ ...details, role }, call)
            : await renewInvitation({ id: String(existing.id) }, call)
        const { port, publicUrl = (await getSettings()).publicUrl } = readConfig()
        const link = `${publicUrl ?? `http://localhost:${port}`}/invitation?key=${key}`
        if (json) await printJson({ id, link }, io)
        else await print(`${link}\n`, io)
        say('Send this link to the person. It works once, for seven days, and cannot be shown again.', context)
        if (publicUrl === null)
          say('Only this computer can open it: set PUBLIC_URL to the address that people use.', context)
      }),
    )

  command
    .command('remove')
    .summary('remove an administrator')
    .description(
      'Removes an administrator, and ends their sessions. The audit keeps the name. The last owner cannot be removed.',
    )
    .argument('<id>', 'the id in the first column of `rsvp admins list`, or the email')
    .option('--yes', 'do not ask')
    .option('--json', 'print the id')
    .addHelpText('after', examples('rsvp admins remove 3', 'rsvp admins remove ruth@example.org --yes'))
    .action(
      run('database', async (word, { yes, json }, context) => {
        const { call } = context
        const { id, name, role } = await findAdmin(word)
        if (!yes) await confirm(`Remove ${displayed(name)} (${role}), and sign them out everywhere?`, context)
        await removeAdministrator({ id: String(id) }, call)
        await report({ removed: id }, 'Removed, and signed out everywhere. The audit keeps the name.', json, context)
      }),
    )
}

/** @throws CommandError 'notFound' when no administrator has this id or email. */
export async function findAdmin(word: string): Promise<Administrator> {
  const email = emailAddress.safeParse(word).data?.toLowerCase()
  const found = (await listAdministrators()).find((each) => String(each.id) === word || (email && each.email === email))
  if (found !== undefined) return found
  throw notFoundError('There is no such administrator: see `rsvp admins list`.')
}

/**
 * The administrator who gets a new link: by email or, without one, the only owner.
 * @throws CommandError 'usage' without an email unless there is one owner, 'notFound' if no administrator has the email.
 */
async function findInvited(email: string | undefined): Promise<Administrator> {
  if (email !== undefined) return findAdmin(email)
  const [only, ...others] = (await listAdministrators()).filter(({ role }) => role === 'owner')
  if (only !== undefined && others.length === 0) return only
  throw usageError('Say whom: give --name, --email and --role, or the --email of an administrator for a new link.')
}

function cellsOf({ id, name, email, role, seenAt, invitedUntil }: Administrator) {
  return [id, name, email ?? '', role, seenAt ?? '', invitedUntil ?? '']
}

function columnsOf(zone: string): Column<Administrator>[] {
  const seen = ({ seenAt, invitedUntil }: Administrator) => {
    if (invitedUntil !== null) return `invited until ${formatMoment(invitedUntil, zone)}`
    return seenAt === null ? 'never' : formatMoment(seenAt, zone)
  }
  return [
    { title: 'Id', text: ({ id }) => String(id), minWidth: 4, grow: 0 },
    { title: 'Name', text: ({ name }) => displayed(name), minWidth: 14, grow: 2 },
    { title: 'Role', text: ({ role }) => role, minWidth: 6, grow: 0 },
    { title: 'Email', text: ({ email }) => displayed(email ?? ''), minWidth: 20, grow: 2 },
    { title: 'Last seen', text: seen, minWidth: 22, grow: 1 },
  ]
}
