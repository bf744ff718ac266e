import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import { prayerAccess } from '#db/prayer/schema.ts'
import { roles } from '#db/roles.ts'
import type { Run } from '../run.ts'
import { command, examples, notEmpty } from './arguments.ts'

/** Without options each command shows what is stored; with them it changes that. */
export function addSettingCommands(program: CommandUnknownOpts, run: Run): void {
  program.commandsGroup('What the site shows and asks:')

  command(program, 'features', 'switch parts of the form on and off', [
    'Shows the three features, or switches those that are named. On a terminal, without arguments, it opens a',
    'screen with switches.',
  ])
    .argument('[changes...]', 'features, each followed by on or off, e.g. family-rsvp on')
    .option('--json', 'print a JSON object')
    .addHelpText(...examples('rsvp features', 'rsvp features familyRsvp off volunteerSignup on'))
    .action(run('database', async () => (await import('../commands/features.ts')).features))
}

export function addAccessCommands(program: CommandUnknownOpts, run: Run): void {
  program.commandsGroup('Who may administer:')
  addAdminCommands(program, run)

  command(program, 'password', 'set a password', [
    'Sets the password of the administrator, and ends their sessions; an open site is guarded by it from then on.',
    'Where there are several administrators, --of says whose it is. Asks for it twice, or reads it from standard',
    'input. Never pass it as an argument: other accounts could read it there.',
  ])
    .option('--of <email>', 'of the administrator with this email', notEmpty)
    // Commander's own errors would print the password.
    .allowUnknownOption()
    .allowExcessArguments()
    .hook('preAction', (command) => {
      if (command.args.length > 0)
        command.error('error: leave the password out: it is asked for, or read from standard input')
    })
    .addHelpText(...examples('rsvp password', 'rsvp password --of ruth@example.org < /run/secrets/ruth'))
    .action(run('nothing', async () => (await import('../commands/access.ts')).password))
}

function prayersOption(): Option {
  const meaning = 'which prayer requests they read: none, those shared with the group that prays, or all as the pastor'
  return new Option('--prayers <access>', meaning).choices(prayerAccess)
}

function addAdminCommands(program: CommandUnknownOpts, run: Run): void {
  const admins = command(program, 'admins', 'list and change who administers', [
    'An owner may do everything. A clerk may not change administrators, how long responses are kept and backups, nor',
    'erase for good. A reader sees the numbers and the sheet. Without a subcommand, `rsvp admins` lists them.',
  ]).addHelpText(...examples('rsvp admins', 'rsvp admins remove 3'))

  command(
    admins,
    'list',
    'list the administrators',
    [
      'Lists the administrators: id, name, email, role, when last seen, and until when an invitation works. The word',
      'list can be left out.',
    ],
    { isDefault: true },
  )
    .option('--json', 'print a JSON array')
    .addHelpText(...examples('rsvp admins list', 'rsvp admins list --json | jq length'))
    .action(run('database', async () => (await import('../commands/admins.ts')).listAdmins))

  command(admins, 'invite', 'invite an administrator', [
    'Prints a link with which a new administrator chooses a passkey or a password: it works once, for seven days.',
    'With the --email of an administrator and no --name it prints a new link for that person, who has lost the',
    'way in. --owner does so for an owner: without an email, for the only one.',
  ])
    .option('--name <name>', 'the name of a new administrator')
    .option('--email <email>', 'the email')
    .addOption(new Option('--role <role>', 'what they may do').choices(roles))
    .option('--contacts', 'let a reader see email addresses, phone numbers and messages')
    .addOption(prayersOption())
    .addOption(new Option('--owner [email]', 'make this person an owner').conflicts(['role', 'contacts']))
    .option('--json', 'print the id and the link')
    .addHelpText(
      ...examples(
        'rsvp admins invite --name "Ruth Cole" --email ruth@example.org --role clerk',
        'rsvp admins invite --owner',
      ),
    )
    .action(run('database', async () => (await import('../commands/admins.ts')).invite))

  command(admins, 'remove', 'remove an administrator', [
    'Removes an administrator, and ends their sessions. The audit keeps the name. The last owner cannot be removed.',
  ])
    .argument('<id>', 'the id in the first column of `rsvp admins list`, or the email')
    .option('--yes', 'do not ask')
    .option('--json', 'print the id')
    .addHelpText(...examples('rsvp admins remove 3', 'rsvp admins remove ruth@example.org --yes'))
    .action(run('database', async () => (await import('../commands/admins.ts')).removeAdmin))
}
