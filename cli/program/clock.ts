import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Run } from '../run.ts'
import { examples } from './examples.ts'

/** What the time is taken to be. */
export function addClockCommands(program: CommandUnknownOpts, run: Run): void {
  const clock = program
    .command('clock')
    .summary('say that the time is right')
    .description(
      'While the clock is far from the latest moment known, nothing is made anonymous, erased or removed by date. That ' +
        'ends when the clock is right again, when somebody confirms it, or after seven days of steady running.',
    )
    .addHelpText('after', examples('rsvp clock show', 'rsvp clock confirm'))

  clock
    .command('show')
    .summary('see what time it is taken to be')
    .description(
      'Shows the clock, the latest moment known, whether the time is believed, and how many responses lose names or are ' +
        'erased by it, and when.',
    )
    .option('--json', 'print a JSON object')
    .addHelpText('after', examples('rsvp clock show', 'rsvp clock show --json | jq .doubt'))
    .action(run('database', () => import('../commands/clock/show.ts')))

  clock
    .command('confirm')
    .summary('say that this clock is right')
    .description(
      'Makes what this clock shows the latest moment known. What is due by it then goes for good: it says how many ' +
        'responses that are, and asks.',
    )
    .option('--yes', 'do not ask')
    .option('--json', 'print what `rsvp clock show` does')
    .addHelpText('after', examples('rsvp clock confirm', 'rsvp clock confirm --yes'))
    .action(run('database', () => import('../commands/clock/confirm.ts')))
}
