import type { Call } from '#db/operation.ts'
import { getStatistics, type Statistics } from '#db/rsvp/counts.ts'
import { getTurnout } from '#db/turnout/operations.ts'
import type { Context } from '../context.ts'
import { printOutput } from '../output/output.ts'
import { filterOf, type ResponseOptions, responsePages, withDefaultWeek } from '../responses/read-responses.ts'

/** Counts responses, people and offers to serve. */
export async function run(given: ResponseOptions & { json?: true }, context: Context): Promise<void> {
  const { call, io } = context
  const options = await withDefaultWeek(given, context)
  const { week } = options
  const statistics = await getStatistics({ ...(await filterOf(options)), ids: await idsFound(options, call) }, call)
  // Of all weeks together it would be beside people expected at services that no one counted.
  const turnout = week === undefined ? undefined : ((await getTurnout({ date: week }, call))?.people ?? null)
  const screen = async (width: number) => {
    const { renderStatistics } = await import('../screens/Statistics.tsx')
    return renderStatistics({ statistics, week, turnout, width })
  }
  const rows = [...(week === undefined ? [] : [['Service', week]]), ...rowsOf(statistics, turnout ?? null)]
  return printOutput(options.json, { value: { week, ...statistics, turnout }, rows, screen }, io)
}

/** Searches here and not in the database, which does not fold accents. */
async function idsFound(options: ResponseOptions, call: Call): Promise<number[] | undefined> {
  if (options.search === undefined) return undefined
  const ids: number[] = []
  for await (const page of responsePages(options, call)) ids.push(...page.map(({ id }) => id))
  return ids
}

function rowsOf(
  { responses, people, superseded, services, roles }: Statistics,
  turnout: number | null,
): [string, number][] {
  return [
    ...(services > 1 ? [['Services together', services] satisfies [string, number]] : []),
    ['Attending', responses.attending],
    ['Not Attending', responses.notAttending],
    ...(superseded === 0 ? [] : [['Sent again, not counted', superseded] satisfies [string, number]]),
    ['People expected', people.expected],
    ...(turnout === null ? [] : [['People who came', turnout] satisfies [string, number]]),
    ['Adults', people.adults],
    ['Teens', people.teens],
    ['Children', people.children],
    ['Age not said', people.notSaid],
    ...roles.map(({ name, offers }): [string, number] => [name, offers]),
  ]
}
