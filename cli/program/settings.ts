import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings'
import { languages } from '#db/language/languages.ts'
import type { Run } from '../run.ts'
import { examples, neededPeople, wholeNumber } from './arguments.ts'

/** Commands for what the site shows and asks. Each shows what there is, and changes what it is given. */
export function addSettingCommands(program: CommandUnknownOpts, run: Run): void {
  program.commandsGroup('What the site shows and asks:')

  program
    .command('features')
    .summary('switch parts of the form on and off')
    .description(
      'Shows the three features, or switches those that are named. On a terminal without arguments it shows a screen ' +
        'with switches.',
    )
    .argument('[changes...]', 'a feature and on or off, e.g. family-rsvp on; several may follow each other')
    .option('--json', 'print a JSON object')
    .addHelpText('after', examples('rsvp features', 'rsvp features familyRsvp off volunteerSignup on'))
    .action(run('database', async () => (await import('../commands/features.ts')).features))

  program
    .command('roles')
    .summary('see and change the volunteer roles')
    .description(
      'Shows every role, including retired ones, and how many people it needs at one service; or adds or changes one. ' +
        'The form shows how many are still needed, and once a role is filled no one else can choose it for that ' +
        'service. Whoever fills it already stays, and a retired role stays on the responses that chose it.',
    )
    .argument('[role]', 'its number or its name')
    .option('--add', 'offer a new role of this name')
    .option('--name <name>', 'give it another name, as visitors will read it')
    .addOption(
      new Option('--needed <people>', 'how many fill it at one service, or none: as many as want to').argParser(
        neededPeople,
      ),
    )
    .addOption(new Option('--retire', 'stop offering it').conflicts('offer'))
    .option('--offer', 'offer it again')
    .option('--json', 'print a JSON array, or the role that is changed')
    .addHelpText(
      'after',
      examples(
        'rsvp roles',
        'rsvp roles Parking --add --needed 3',
        'rsvp roles 3 --name "Music and Choir"',
        'rsvp roles Greeter --retire',
      ),
    )
    .action(run('database', async () => (await import('../commands/roles.ts')).roles))

  program
    .command('event')
    .summary('see and change the texts of the invitation')
    .description(
      'Shows the texts of the invitation as visitors read them, or changes those that are given. An empty text is reset ' +
        'to its default, or removed; in one language, visitors then read that of the event itself.',
    )
    .option('--title <text>', 'the title of the page')
    .option('--subtitle <text>', 'the line below it')
    .option('--event-title <text>', 'the name of the event')
    .option('--description <text>', 'what awaits people')
    .option('--date <text>', 'the day, as people should read it')
    .option('--time <text>', 'the time, as people should read it')
    .option('--location <text>', 'where it is')
    .option('--map-link <url>', 'a map of the place, to which the location becomes a link')
    .option('--contact <text>', 'whom to ask: an e-mail address, a phone number or any text')
    .option('--what-to-expect <text>', 'what first-time visitors want to know')
    .option('--language <language>', `the texts in one language: ${languages.join(', ')}`)
    .option('--role <role=name...>', 'what a volunteer role is called in it, e.g. "Greeter=Bienvenida"')
    .option('--remove', 'remove all texts in that language')
    .option('--json', 'print a JSON object')
    .addHelpText(
      'after',
      examples(
        'rsvp event --date "Saturday, December 5" --time "9:30 AM"',
        'rsvp event --language es --date "Cada sábado"',
        'rsvp event --language es --remove',
      ),
    )
    .action(run('database', async () => (await import('../commands/event.ts')).event))

  program
    .command('schedule')
    .summary('see or set when services are, and skip some')
    .description(
      'Shows when services are, as the site needs it to know which service a response is for, and the next eight; the ' +
        'texts that people read are those of `rsvp event`. Or changes what is given, and confirms the rest. Where the day ' +
        'of the week changes, the responses for services to come move along. Visitors can no longer respond for a ' +
        'service that is left out; the responses for it stay. Exits with 3 when one to hold was not left out.',
    )
    .option('--weekday <weekday>', 'the day of the week, e.g. saturday')
    .option('--start <time>', 'when a service starts, e.g. 10:00 or "6:30 PM"')
    .option('--duration <minutes>', 'how long it lasts, e.g. 90 or 2h')
    .option('--time-zone <name>', 'the time zone of the church, e.g. America/Chicago')
    .option('--closes <time>', 'how long before the start RSVPs are for the next service, e.g. 2h; none: at the end')
    .option('--skip <dates...>', 'leave out the services on these days, e.g. 2026-12-26')
    .option('--unskip <dates...>', 'hold services that were left out after all')
    .option('--json', 'print a JSON object')
    .addHelpText(
      'after',
      examples(
        'rsvp schedule --weekday saturday --start 10:00 --duration 90 --time-zone America/Chicago',
        'rsvp schedule --skip 2026-12-26 2027-01-02',
        'rsvp schedule --json | jq -r ".services[0].date"',
      ),
    )
    .action(run('database', async () => (await import('../commands/schedule.ts')).schedule))

  program
    .command('settings')
    .summary('choose who is shown, how long responses are kept, and how your church looks')
    .description(
      'Shows the settings, or changes those that are given. publicNames: what visitors of a guarded site see of who ' +
        'responded: full, initial (e.g. Ana C.), counts or none. retentionDays: after how many days a response loses its ' +
        'names, addresses and texts and keeps only what is counted, or off; the command says how many are older already, ' +
        'and asks. churchName, churchAccent (a ' +
        'color such as #0b5d66, of which the site draws the nearest that can be read), churchPicture (the file of a JPEG, ' +
        'PNG, WebP or AVIF) and churchPictureAlt (what it shows) are what people recognize the church by; an empty one is ' +
        'removed. eventLanguage: the language in which the event is first written.',
    )
    .argument('[changes...]', 'settings as name=value, e.g. publicNames=counts')
    .option('--yes', 'do not ask before old responses are anonymized')
    .option('--json', 'print a JSON object')
    .addHelpText(
      'after',
      examples(
        'rsvp settings',
        'rsvp settings publicNames=counts retentionDays=90',
        'rsvp settings "churchName=Grace Church" churchPicture=church.jpg',
      ),
    )
    .action(run('database', async () => (await import('../commands/settings.ts')).settings))

  program
    .command('share')
    .summary('show the link to share')
    .description('Prints the link to the share page, made from PUBLIC_URL.')
    .option('--qr', 'print it as a QR code as well')
    .option('--json', 'print a JSON object')
    .addHelpText('after', examples('rsvp share --qr', 'rsvp share | xclip'))
    .action(run('nothing', async () => (await import('../commands/share.ts')).share))
}

/** Who may administer, and what was done. */
export function addAccessCommands(program: CommandUnknownOpts, run: Run): void {
  program.commandsGroup('Who may administer:')

  program
    .command('password')
    .summary("set the administrator's password")
    .description(
      'Sets the password that guards the administration, and ends all sessions. Asks for it twice, or reads it from ' +
        'standard input. Never give it as an argument: other accounts could read it there.',
    )
    // Errors of commander would repeat it.
    .allowUnknownOption()
    .allowExcessArguments()
    .hook('preAction', (command) => {
      if (command.args.length > 0)
        command.error('error: leave the password out: it is asked for, or read from standard input')
    })
    .addHelpText('after', examples('rsvp password', 'rsvp password < /run/secrets/rsvp'))
    .action(run('nothing', async () => (await import('../commands/access.ts')).password))

  program
    .command('sessions')
    .summary('see who is signed in, and sign them out')
    .description(
      'Shows every session of an administrator, newest first: number, sign-in, last use, end. A session ends 3 hours ' +
        'after its last use, and after 12 hours at the latest; or at once, and its browser has to sign in again.',
    )
    .option('--end <ids...>', 'end these, by the numbers in the first column, or all')
    .option('--json', 'print a JSON array, or which were ended')
    .addHelpText('after', examples('rsvp sessions', 'rsvp sessions --end 3', 'rsvp sessions --end all'))
    .action(run('database', async () => (await import('../commands/access.ts')).sessions))

  program
    .command('audit')
    .summary('see what administrators did')
    .description(
      'Shows who did what and when, newest first. It names responses by their numbers and holds no personal data.',
    )
    .option('--limit <number>', 'at most this many lines (100)', wholeNumber)
    .option('--json', 'print a JSON array')
    .addHelpText('after', examples('rsvp audit', 'rsvp audit --limit 1000 | grep deleted'))
    .action(run('database', async () => (await import('../commands/access.ts')).audit))
}
