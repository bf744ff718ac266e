import { type Command, Option, type OptionValues } from '@commander-js/extra-typings'
import type { Call } from '#db/call.ts'
import { listRsvps, responsesFrom } from '#db/rsvp/list.ts'
import { matching } from '#db/rsvp/search.ts'
import { getSchedule } from '#db/schedule.ts'
import { getDefaultWeek } from '#db/turnout.ts'
import { dayText } from '#db/values/dates.ts'
import { type RsvpSearch, rsvpSearch, type StoredRsvp } from '#db/values/rsvp.ts'
import { weekdayText } from '#db/values/schedule-texts.ts'
import { idText } from '#db/values/schemas.ts'
import { findNoService, weekDate, weekWord } from '#db/values/services.ts'
import type { Context } from './command.ts'
import { usageError } from './errors.ts'
import { say } from './output.ts'
import { displayed, escapedJson } from './plain-text.ts'

/** The options that select responses on the command line. */
export type Selection = {
  status?: RsvpSearch['status']
  email?: string | undefined
  deleted?: true | undefined
  search?: string | undefined
  /** The day of the service. On the command line it can also be a word: see `dateOfWeek`. */
  week?: string | undefined
}

export const WEEK = 'only those for one service: this, next, last or its date, e.g. 2026-11-21; or all'

/** For commands that cover one week by default. */
export const DEFAULT_WEEK =
  'Without --week it covers the last service until its turnout is recorded or the next service is nearer, then the next ' +
  'one. --week all covers every service, as does no --week until the schedule is set.'

export function selecting<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return command
    .addOption(
      new Option('--status <status>', 'only those with this status').choices(['attending', 'not-attending'] as const),
    )
    .option('--week <week>', WEEK)
    .option('--search <text>', 'only those that contain all of these words')
    .option('--deleted', 'only those that were deleted and can be restored')
}

/**
 * The selection with the day of the service; by default that which the administration shows. Deleted responses are
 * those of all weeks, as they are there.
 */
export async function withDefaultWeek<Options extends Selection>(options: Options, context: Context): Promise<Options> {
  if (options.week !== undefined) return { ...options, week: await dateOfWeek(options.week, context) }
  return options.deleted ? options : { ...options, week: await getDefaultWeek(context.call) }
}

/**
 * The day of the service that `--week` names; undefined for all weeks. A day without a service is no error, because
 * responses keep the day of a service that was moved later; a message says so.
 * @throws CommandError 'usage' for a word that is not a week.
 */
export async function dateOfWeek(word: string, context: Context): Promise<string | undefined> {
  const week = weekWord.safeParse(word.toLowerCase())
  if (!week.success) throw usageError(week.error.issues.map(({ message }) => message).join(' '))
  const schedule = await getSchedule(context.call)
  const date = weekDate(week.data, schedule, context.call.now)
  const found = date === undefined ? undefined : findNoService(date, schedule)
  if (found && !context.quiet) {
    const { skipped, weekday } = found
    const day = dayText(found.date)
    const reason = skipped
      ? `The service on ${day} is skipped.`
      : `There is no service on ${day}: services are on ${weekdayText(weekday)}s.`
    say(reason, context.io)
  }
  return date
}

/** What of the selection the database filters by. @throws CommandError 'usage' */
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

/** Responses as a JSON array, one a line. */
export async function* responsesJson(pages: AsyncIterable<StoredRsvp[]>): AsyncGenerator<string> {
  let lead = '[\n'
  for await (const page of pages) {
    if (page.length === 0) continue
    yield lead + page.map((response) => escapedJson(JSON.stringify(response))).join(',\n')
    lead = ',\n'
  }
  yield lead === ',\n' ? '\n]\n' : '[]\n'
}

/**
 * Parses ids, without repetitions.
 * @throws CommandError 'usage' that names the first word that is not an id.
 */
export function idsOf(words: string[]): number[] {
  const ids = words.map((word) => {
    const id = idText.safeParse(word)
    if (id.success) return id.data
    throw usageError(`${JSON.stringify(word)} is not an id. An id is a whole number, e.g. 12.`)
  })
  return Array.from(new Set(ids))
}

/** Asked before anything is deleted (specification, section 5). */
export function deletionQuestion(count: number): string {
  return count === 1
    ? 'Are you sure you want to delete this RSVP?'
    : `Are you sure you want to delete ${count} selected RSVPs?`
}

/** How many names a question lists; more would not be read before confirming. */
export const NAMED = 3

/** The first of `count` names, e.g. `Ana Cole, Eva Kim, Zoë Kim and 12 others`. */
export function namesText(responses: { name: string }[], count = responses.length): string {
  const names = responses.slice(0, NAMED).map(({ name }) => displayed(name))
  const others = count - names.length
  if (others === 0) return names.join(', ')
  return `${names.join(', ')} and ${others} ${others === 1 ? 'other' : 'others'}`
}
