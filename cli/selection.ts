import { type Command, Option, type OptionValues } from '@commander-js/extra-typings'
import type { Call } from '#db/call.ts'
import { listRsvps, responsesFrom } from '#db/rsvp/list.ts'
import { matching } from '#db/rsvp/search.ts'
import { getSchedule } from '#db/schedule.ts'
import { getDefaultWeek } from '#db/turnout.ts'
import { dayText } from '#db/values/dates.ts'
import { type RsvpSearch, rsvpSearch, type StoredRsvp } from '#db/values/rsvp.ts'
import { idText } from '#db/values/schemas.ts'
import { findNoService, weekDate, weekdayText, weekWord } from '#db/values/services.ts'
import type { Context } from './command.ts'
import { usageError } from './errors.ts'
import { say } from './output.ts'

/** The options that select responses. */
export type Selection = {
  status?: RsvpSearch['status']
  email?: string | undefined
  deleted?: true | undefined
  search?: string | undefined
  /** The day of the service. Until `dateOfWeek` parses it, it can also be a word, e.g. `next`. */
  week?: string | undefined
}

export const WEEK_HELP = 'only those for one service: this, next, last or its date, e.g. 2026-11-21; or all'

/** For commands that cover one week by default. */
export const DEFAULT_WEEK_HELP =
  'Without --week it covers the last service for three days, until its turnout is recorded, then the next one. --week ' +
  'all covers every service, as does no --week until the schedule is set.'

export function addSelectionOptions<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
) {
  return command
    .addOption(
      new Option('--status <status>', 'only those with this status').choices(['attending', 'not-attending'] as const),
    )
    .option('--week <week>', WEEK_HELP)
    .option('--search <text>', 'only those that contain all of these words')
    .option('--deleted', 'only those that were deleted and can be restored')
}

/**
 * The options with the day of the service as `week`. Without --week it is the service that the site shows to
 * administrators first; with --deleted it is undefined, for all services.
 */
export async function withDefaultWeek<Options extends Selection>(options: Options, context: Context): Promise<Options> {
  if (options.week !== undefined) return { ...options, week: await dateOfWeek(options.week, context) }
  return options.deleted ? options : { ...options, week: await getDefaultWeek(context.call) }
}

/**
 * Parses the value of --week.
 * @returns the day of a service; undefined for all services. For a day without a service it prints a message but throws
 * no error: responses keep the day of a service that was moved later.
 * @throws CommandError 'usage' for a word that is not a week.
 */
export async function dateOfWeek(word: string, context: Context): Promise<string | undefined> {
  const week = weekWord.safeParse(word.toLowerCase())
  if (!week.success) throw usageError(week.error.issues.map(({ message }) => message).join(' '))
  const schedule = await getSchedule(context.call)
  const date = weekDate(week.data, schedule, context.call.now)
  const missing = date === undefined ? undefined : findNoService(date, schedule)
  if (missing === undefined) return date
  const day = dayText(missing.date)
  const others = `There is no service on ${day}: services are on ${weekdayText(missing.weekday)}s.`
  say(missing.skipped ? `The service on ${day} is skipped.` : others, context)
  return date
}

/** All of the selection except --search, as a filter for the database. @throws CommandError 'usage' */
export function filterOf({ status, email, deleted, week }: Selection): RsvpSearch {
  const filter = rsvpSearch.safeParse({ status, email, week, deleted: deleted && 'true' })
  if (filter.success) return filter.data
  throw usageError('--email is not an email address. Give one, e.g. ana@example.org.')
}

/** The selected responses, newest first, in pages. */
export async function* responsePages(options: Selection, call: Call): AsyncGenerator<StoredRsvp[]> {
  const first = await listRsvps(filterOf(options), call)
  const isFound = matching(options.search ?? '')
  for await (const page of responsesFrom(first, call)) yield page.filter(isFound)
}

/** Parses ids and removes repetitions. @throws CommandError 'usage' that names the first word that is not an id. */
export function parseIds(words: string[]): number[] {
  const ids = words.map((word) => {
    const id = idText.safeParse(word)
    if (id.success) return id.data
    throw usageError(`${JSON.stringify(word)} is not an id. An id is a whole number, e.g. 12.`)
  })
  return Array.from(new Set(ids))
}
