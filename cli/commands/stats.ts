import { getStatistics } from '#db/rsvp/counts.ts'
import { getTurnout } from '#db/turnout.ts'
import type { Declare } from '../command.ts'
import { examples } from '../options.ts'
import { printJson, printRows } from '../output.ts'
import { DEFAULT_WEEK_HELP, WEEK_HELP, withDefaultWeek } from '../selection.ts'

export const declare: Declare = (command, run) => {
  command
    .description(
      'Counts the responses, the people expected by age group, and the offers for each role; for one week, also who ' +
        `came. ${DEFAULT_WEEK_HELP}`,
    )
    .option('--week <week>', WEEK_HELP)
    .option('--json', 'print a JSON object')
    .addHelpText('after', examples('rsvp stats --week next', 'rsvp stats --json | jq .people.expected'))
    .action(
      run('database', async ({ json, ...given }, context) => {
        const { io } = context
        const { week } = await withDefaultWeek(given, context)
        const statistics = await getStatistics({ week })
        // Not for all weeks together, because at some services no one counted the people who came.
        const turnout = week === undefined ? undefined : await getTurnout(week)
        if (json) return printJson({ week, ...statistics, turnout }, io)
        const { counted, people, superseded, services, roles } = statistics
        const rows: [string, string | number | null | undefined][] = [
          ['Service', week],
          ['Services together', services > 1 ? services : null],
          ['Attending', counted.attending],
          ['Not Attending', counted.notAttending],
          ['Sent again, not counted', superseded > 0 ? superseded : null],
          ['People expected', people.expected],
          ['People who came', turnout],
          ['Adults', people.adults],
          ['Teens', people.teens],
          ['Children', people.children],
          ['Age not said', people.notSaid],
          ...roles.map(({ name, offers }): [string, number] => [name, offers]),
        ]
        await printRows(
          rows.flatMap(([label, value]) => (value == null ? [] : [[label, value]])),
          io,
        )
      }),
    )
}
