import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import type { Run } from '../run.ts'
import { neededPeople } from './arguments.ts'
import { addChurchCommands } from './church.ts'
import { addEventCommands } from './event.ts'
import { examples } from './examples.ts'
import { addScheduleCommands } from './schedule.ts'

const needed = () =>
  new Option('--needed <people>', 'how many fill it at one service, or none: as many as want to').argParser(
    neededPeople,
  )

/** Commands for what the site shows and asks. */
export function addSettingCommands(program: CommandUnknownOpts, run: Run): void {
  program.commandsGroup('What the site shows and asks:')

  program
    .command('features')
    .summary('switch parts of the form on and off')
    .description(
      'Shows the three features, or switches those that are named. On a terminal without arguments it shows a screen ' +
        'with switches.',
    )
    .argument('[changes...]', 'a feature and on or off, as often as you like')
    .option('--json', 'print a JSON object')
    .addHelpText('after', examples('rsvp features', 'rsvp features familyRsvp off volunteerSignup on'))
    .action(run('database', () => import('../commands/features.ts')))

  addRoleCommands(program, run)
  addEventCommands(program, run)
  addScheduleCommands(program, run)
  addChurchCommands(program, run)

  program
    .command('settings')
    .summary('choose who is shown, and how long responses are kept')
    .description(
      'Shows or changes two settings. names: what visitors of a guarded site see of who responded: full, initial (e.g. ' +
        'Ana C.), counts or none. retention: after how many days a response loses its names, addresses and texts and ' +
        'keeps only what is counted, or off. The command says how many are older already, and asks; without that ' +
        'confirmation at most a third of them is anonymized per day.',
    )
    .argument('[changes...]', 'a setting and its value, as often as you like')
    .option('--yes', 'do not ask before old responses are anonymized')
    .option('--json', 'print a JSON object')
    .addHelpText('after', examples('rsvp settings', 'rsvp settings names counts', 'rsvp settings retention 90d'))
    .action(run('database', () => import('../commands/settings.ts')))

  program
    .command('share')
    .summary('show the link to share')
    .description('Prints the link to the share page, made from PUBLIC_URL.')
    .option('--qr', 'print it as a QR code as well')
    .option('--json', 'print a JSON object')
    .addHelpText('after', examples('rsvp share --qr', 'rsvp share | xclip'))
    .action(run('nothing', () => import('../commands/share.ts')))
}

function addRoleCommands(program: CommandUnknownOpts, run: Run): void {
  const roles = program
    .command('roles')
    .summary('change the volunteer roles')
    .description('Lists and changes the volunteer roles. A role is named by its number or its name.')
    .addHelpText('after', examples('rsvp roles list', 'rsvp roles rename Music "Music and Choir"'))

  roles
    .command('list')
    .summary('see the roles')
    .description('Shows every role, including retired ones, and how many people it needs at one service.')
    .option('--json', 'print a JSON array')
    .addHelpText('after', examples('rsvp roles list', 'rsvp roles list --json'))
    .action(run('database', () => import('../commands/roles/list.ts')))

  roles
    .command('add')
    .summary('offer a new role')
    .description('Offers a new role.')
    .argument('<name>', 'as visitors will read it')
    .addOption(needed())
    .option('--json', 'print the role as JSON')
    .addHelpText('after', examples('rsvp roles add "Parking" --needed 3', 'rsvp roles add "Coffee and Tea" --json'))
    .action(run('database', () => import('../commands/roles/add.ts')))

  roles
    .command('change')
    .summary('say how many people a role needs')
    .description(
      'Changes how many people can fill a role at one service. The form shows how many are still needed, and once the ' +
        'role is filled no one else can choose it for that service. Whoever fills it already stays.',
    )
    .argument('<role>', 'its number or its name')
    .addOption(needed().makeOptionMandatory())
    .option('--json', 'print the role as JSON')
    .addHelpText('after', examples('rsvp roles change Greeter --needed 3', 'rsvp roles change 1 --needed none'))
    .action(run('database', () => import('../commands/roles/change.ts')))

  roles
    .command('rename')
    .summary('give a role another name')
    .description('Gives a role another name, also on the responses that chose it.')
    .argument('<role>', 'its number or its name')
    .argument('<name>', 'as visitors will read it')
    .option('--json', 'print the role as JSON')
    .addHelpText('after', examples('rsvp roles rename 3 "Music and Choir"', 'rsvp roles rename Usher Ushers'))
    .action(run('database', () => import('../commands/roles/rename.ts')))

  roles
    .command('retire')
    .summary('stop offering a role')
    .description('Stops offering a role. It stays on the responses that chose it.')
    .argument('<role>', 'its number or its name')
    .option('--json', 'print the role as JSON')
    .addHelpText('after', examples('rsvp roles retire Greeter', 'rsvp roles retire 1'))
    .action(run('database', () => import('../commands/roles/retire.ts')))

  roles
    .command('offer')
    .summary('offer a retired role again')
    .description('Offers a retired role again.')
    .argument('<role>', 'its number or its name')
    .option('--json', 'print the role as JSON')
    .addHelpText('after', examples('rsvp roles offer Greeter', 'rsvp roles offer 1'))
    .action(run('database', () => import('../commands/roles/offer.ts')))
}
