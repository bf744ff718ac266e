import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Run } from '../run.ts'
import { examples } from './examples.ts'

/** Commands for a clock that the database does not trust. */
export function addClockCommands(program: CommandUnknownOpts, run: Run): void {
  const clock = program
    .command('clock')
    .summary('confirm a clock that is not trusted')
    .description(
      'While the clock is far from the latest known time, nothing is anonymized, erased or removed by date. That ends ' +
        'when the clock is right again, when an administrator confirms it, or after seven days of steady running.',
    )
    .addHelpText('after', examples('rsvp clock show', 'rsvp clock confirm'))

  clock
    .command('show')
    .summary('show whether the clock is trusted')
    .description(
      'Shows the clock, the latest known time, whether the clock is trusted, and how many responses will be ' +
        'anonymized or erased, and when.',
    )
    .option('--json', 'print a JSON object')
    .addHelpText('after', examples('rsvp clock show', 'rsvp clock show --json | jq .doubt'))
    .action(run('database', () => import('../commands/clock/show.ts')))

  clock
    .command('confirm')
    .summary('confirm that this clock is right')
    .description(
      'Makes the time of this clock the latest known time. What is due by then is purged for good: the command says ' +
        'how many responses that concerns, and asks.',
    )
    .option('--yes', 'do not ask')
    .option('--json', 'print what `rsvp clock show` does')
    .addHelpText('after', examples('rsvp clock confirm', 'rsvp clock confirm --yes'))
    .action(run('database', () => import('../commands/clock/confirm.ts')))
}
