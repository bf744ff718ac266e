import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Run } from '../run.ts'
import { examples } from './examples.ts'

/** Commands for what people recognize the church by. */
export function addChurchCommands(program: CommandUnknownOpts, run: Run): void {
  const church = program
    .command('church')
    .summary('name your church, choose its color and its picture')
    .description('Shows or changes the name of the church, its accent color and its picture.')
    .addHelpText('after', examples('rsvp church show', 'rsvp church set --name "Grace Church" --accent "#0b5d66"'))

  church
    .command('show')
    .summary('see the name, the accent and the picture')
    .description('Shows the name, the accent as it was chosen, and the picture with its description.')
    .option('--json', 'print a JSON object')
    .addHelpText('after', examples('rsvp church show', 'rsvp church show --json | jq -r .name'))
    .action(run('database', () => import('../commands/church/show.ts')))

  church
    .command('set')
    .summary('change the name, the accent or the description of the picture')
    .description(
      'Changes what is given and keeps the rest; an empty text removes it. Of the accent, the site draws the nearest ' +
        'color that can be read on paper and in the dark.',
    )
    .option('--name <text>', 'the name of the church, in one line')
    .option('--accent <color>', 'the color of buttons and links, e.g. "#0b5d66"; none: the usual one')
    .option('--alt <text>', 'what the picture shows, for those who do not see it')
    .option('--json', 'print a JSON object')
    .addHelpText(
      'after',
      examples(
        'rsvp church set --name "Grace Church" --accent "#0b5d66"',
        'rsvp church set --alt "The church in spring"',
      ),
    )
    .action(run('database', () => import('../commands/church/set.ts')))

  church
    .command('picture')
    .summary('show a picture of the church')
    .description(
      'Puts a picture in place of the one there is: a JPEG, PNG, WebP or AVIF, of which small copies are stored, without ' +
        'where it was taken. Or removes it with its description.',
    )
    .argument('[file]', 'the picture')
    .option('--remove', 'show none any more')
    .option('--json', 'print a JSON object')
    .addHelpText('after', examples('rsvp church picture church.jpg', 'rsvp church picture --remove'))
    .action(run('database', () => import('../commands/church/picture.ts')))
}
