import type { Call } from '#db/operation.ts'
import { cellsOf } from '#db/rsvp/fields.ts'
import { listRsvps, responsesFrom } from '#db/rsvp/list.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { type RsvpFilter, type RsvpSearch, rsvpSearch } from '#db/rsvp/schema.ts'
import { matching } from '#db/rsvp/search.ts'
import { getSchedule } from '#db/schedule/operations.ts'
import { shownTimeZone } from '#db/schedule/read-schedule.ts'
import { findNoService, weekDate, weekWord } from '#db/schedule/services.ts'
import { getDefaultWeek } from '#db/turnout/operations.ts'
import { dayText } from '#db/values/dates.ts'
import { startOfDay } from '#db/values/time-zone.ts'
import type { Context } from '../context.ts'
import { usageError } from '../exit-code.ts'
import { say, tabSeparated } from '../output/output.ts'
import { escapedJson } from '../output/plain-text.ts'

/** The options that select responses on the command line. */
export type ResponseOptions = {
  status?: RsvpFilter['status']
  since?: string | undefined
  email?: string | undefined
  deleted?: true | undefined
  standing?: true | undefined
  search?: string | undefined
  limit?: number | undefined
  /** The day of the service. On the command line it can also be a word: see `withDateOfWeek`. */
  week?: string | undefined
}

/** The options with the day of the service that `--week` names. */
export async function withDateOfWeek<Options extends ResponseOptions>(
  options: Options,
  context: Context,
): Promise<Options> {
  if (options.week === undefined) return options
  return { ...options, week: await dateOfWeek(options.week, context) }
}

/**
 * The same; by default the day that the administration shows. Deleted responses are those of all weeks, as they are
 * there.
 */
export async function withDefaultWeek<Options extends ResponseOptions>(
  options: Options,
  context: Context,
): Promise<Options> {
  if (options.week !== undefined || options.deleted) return withDateOfWeek(options, context)
  return { ...options, week: await getDefaultWeek(context.call) }
}

/** Says which week is printed, on a terminal only: cron mails whatever a command prints. */
export function sayWeek({ week }: ResponseOptions, { quiet, io }: Context): void {
  if (week !== undefined && !quiet && io.stderr.isTTY) say(`For ${dayText(week)}:`, io)
}

/** The selected responses, newest first, in pages. */
export async function* responsePages(options: ResponseOptions, call: Call): AsyncGenerator<StoredRsvp[]> {
  const { search = '', limit = Number.POSITIVE_INFINITY } = options
  const filter = await filterOf(options)
  const isFound = matching(search)
  let left = limit
  for await (const page of responsesFrom(await listRsvps(filter, call), call)) {
    const found = page.filter(isFound)
    yield found.slice(0, left)
    left -= found.length
    if (left <= 0) return
  }
}

/** One response as a line of a pipe, in the order of the CSV. */
export function responseLine(response: StoredRsvp, whatHappened?: string): string {
  return tabSeparated(whatHappened === undefined ? cellsOf(response) : [...cellsOf(response), whatHappened])
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

/** The options that the database filters by. */
export async function filterOf(options: ResponseOptions): Promise<RsvpSearch> {
  const { status, since, email, deleted, standing, week } = options
  let moment: Date | undefined
  if (since !== undefined) {
    // A day begins in the church's time zone.
    moment = startOfDay(await shownTimeZone(), since)
    if (moment === undefined) {
      throw usageError(`--since ${since} is not a day. Give one, e.g. 2026-11-21.`)
    }
  }
  const flags = { deleted: deleted && 'true', standing: standing && 'true' }
  const filter = rsvpSearch.safeParse({ status, since: moment?.toISOString(), email, week, ...flags })
  if (filter.success) return filter.data
  throw usageError('--email is not an email address. Give one, e.g. ana@example.org.')
}

/**
 * The day of the service that `--week` names; undefined for all weeks. A day without a service is no error, because
 * responses keep the day of a service that was moved later; a message names the nearest services.
 * @throws CommandError 'usage' for a word that is not a week.
 */
export async function dateOfWeek(word: string, context: Context): Promise<string | undefined> {
  const week = weekWord.safeParse(word.toLowerCase())
  if (!week.success) throw usageError(week.error.issues.map(({ message }) => message).join(' '))
  const schedule = await getSchedule(context.call)
  const date = weekDate(week.data, schedule, context.call.now)
  const found = date === undefined ? undefined : findNoService(date, schedule)
  if (found && !context.quiet) {
    const { text, before, after } = found
    say(`${text} The nearest services are on ${dayText(before)} and ${dayText(after)}.`, context.io)
  }
  return date
}
