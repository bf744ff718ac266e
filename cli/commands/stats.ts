import { getStatistics, type Statistics } from '#db/rsvp/statistics.ts'
import type { Context } from '../context.ts'
import { outputKind, print, printJson, tabSeparated } from '../output.ts'

/** Counts responses, people and offers to serve. */
export async function run(options: { json?: true }, { call }: Context): Promise<void> {
  const statistics = await getStatistics(undefined, call)
  switch (outputKind(options.json)) {
    case 'json':
      return printJson(statistics)
    case 'lines':
      return print(lines(statistics))
    case 'screen': {
      const { drawnStatistics } = await import('../screens/Statistics.tsx')
      return print(drawnStatistics(statistics))
    }
  }
}

function lines({ responses, people, roles }: Statistics): string {
  const counted: [string, number][] = [
    ['Attending', responses.attending],
    ['Not Attending', responses.notAttending],
    ['People expected', people.expected],
    ['Adults', people.adults],
    ['Teens', people.teens],
    ['Children', people.children],
    ['Age not said', people.notSaid],
    ...roles.map(({ name, offers }): [string, number] => [name, offers]),
  ]
  return counted.map(tabSeparated).join('')
}
