import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { languages } from '#db/language/languages.ts'
import type { Run } from '../run.ts'
import { examples } from './examples.ts'

/** Commands for the texts of the invitation, in one language or several. */
export function addEventCommands(program: CommandUnknownOpts, run: Run): void {
  const event = program
    .command('event')
    .summary('change the texts of the invitation')
    .description('Shows or changes the texts of the invitation.')
    .addHelpText('after', examples('rsvp event show', 'rsvp event set --time "9:30 AM"'))

  event
    .command('show')
    .summary('see the texts')
    .description('Shows the texts of the invitation as visitors read them.')
    .option('--language <language>', `as visitors of one language read them: ${languages.join(', ')}`)
    .option('--json', 'print a JSON object')
    .addHelpText('after', examples('rsvp event show --json', 'rsvp event show --language es'))
    .action(run('database', () => import('../commands/event/show.ts')))

  event
    .command('set')
    .summary('change some of the texts')
    .description('Changes the given texts and keeps the others. An empty text is reset to its default, or removed.')
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
    .option('--json', 'print the event as JSON')
    .addHelpText(
      'after',
      examples(
        'rsvp event set --location "12 Chapel Road"',
        'rsvp event set --date "Saturday, December 5" --time "9:30 AM"',
      ),
    )
    .action(run('database', () => import('../commands/event/set.ts')))

  event
    .command('translate')
    .summary('write some of the texts in another language')
    .description(
      'Changes the given texts in one language and keeps the others. For an empty text, visitors read that of the event itself.',
    )
    .argument('<language>', languages.join(', '))
    .option('--title <text>', 'the title of the page')
    .option('--subtitle <text>', 'the line below it')
    .option('--event-title <text>', 'the name of the event')
    .option('--description <text>', 'what awaits people')
    .option('--date <text>', 'the day, as people should read it')
    .option('--time <text>', 'the time, as people should read it')
    .option('--location <text>', 'where it is')
    .option('--contact <text>', 'whom to ask')
    .option('--what-to-expect <text>', 'what first-time visitors want to know')
    .option('--role <role=name...>', 'what a volunteer role is called, e.g. "Greeter=Bienvenida"')
    .option('--remove', 'remove all texts in this language')
    .option('--json', 'print the texts in this language as JSON')
    .addHelpText('after', examples('rsvp event translate es --date "Cada sábado"', 'rsvp event translate es --remove'))
    .action(run('database', () => import('../commands/event/translate.ts')))

  event
    .command('language')
    .summary('see or say in which language the texts are')
    .description('Shows in which languages the event is, or says in which one its own texts are.')
    .argument('[language]', languages.join(', '))
    .option('--json', 'print a JSON object')
    .addHelpText('after', examples('rsvp event language', 'rsvp event language ko'))
    .action(run('database', () => import('../commands/event/language.ts')))
}
