import { UserError } from '#db/errors.ts'
import { countRsvps } from '#db/rsvp/counts.ts'
import { changeSchedule, skipService, unskipService } from '#db/rsvp/service-dates.ts'
import { getSchedule, refuseGuess } from '#db/schedule/operations.ts'
import type { CurrentSchedule, Schedule } from '#db/schedule/schema.ts'
import { serviceOn } from '#db/schedule/services.ts'
import { clockText, closingText, durationText, timeAt, weekdayText } from '#db/schedule/texts.ts'
import { addDays, dayText, weekdayOf } from '#db/values/dates.ts'
import { calendarDay } from '#db/values/schemas.ts'
import type { Context } from '../context.ts'
import { notFoundError, usageError } from '../exit-code.ts'
import { counted, printJson, printTexts, say } from '../output/output.ts'
import { closingIn, durationIn, listContradictions, scheduleSentence, timeIn, weekdayIn, zoneIn } from '../schedule.ts'

type Options = {
  weekday?: string
  start?: string
  duration?: string
  timeZone?: string
  closes?: string
  skip?: string[]
  reason?: string
  unskip?: string[]
  json?: true
}

/** Shows the schedule and the next services, or changes the schedule. */
export async function schedule(options: Options, context: Context): Promise<void> {
  const { skip, reason, unskip, json, ...parts } = options
  const { call, io } = context
  if (skip === undefined && reason !== undefined)
    throw usageError('A reason is for services to skip: give --skip as well.')
  const change = changeOf(parts)
  if (Object.keys(change).length === 0 && skip === undefined && unskip === undefined) {
    const stored = await getSchedule(call)
    const contradictions = await listContradictions(stored, call)
    const rows = rowsOf(stored, contradictions)
    return printTexts(json, { value: stored, texts: textsOf(stored, contradictions), rows }, io)
  }
  if (Object.keys(change).length > 0) await set(change, context)
  if (skip !== undefined) await skipServices(skip, reason, context)
  const isHeld = unskip === undefined || (await holdServices(unskip, context))
  if (json) await printJson(await getSchedule(call), io)
  if (!isHeld) throw notFoundError('')
}

async function set(change: Partial<Schedule>, { call, quiet, io }: Context): Promise<void> {
  const {
    movedRsvps,
    skippedRsvps: _,
    toldRsvps: __,
    movedSkippedDates,
    ...changed
  } = await changeSchedule(change, call)
  if (quiet) return
  say(scheduleSentence(changed), io)
  if (movedRsvps > 0) say(`${counted(movedRsvps, 'response')} moved along to the new day.`, io)
  if (movedSkippedDates > 0) {
    say(`${counted(movedSkippedDates, 'skipped date')} moved along too: see \`rsvp schedule\`.`, io)
  }
  for (const sentence of await listContradictions(changed, call)) say(sentence, io)
}

/** Skips services, and says how many responses each of them has. */
async function skipServices(words: string[], reason: string | undefined, context: Context): Promise<void> {
  const { call, quiet, io } = context
  const before = await getSchedule(call)
  refuseGuess(before)
  const dates = serviceDaysIn(words, before)
  for (const date of dates) await skipService({ date, reason }, tellingCall(context))
  if (!quiet) for (const date of dates) say(await skippedText(date, before, context), io)
}

/** @returns whether all of them had been skipped. */
async function holdServices(words: string[], context: Context): Promise<boolean> {
  const { quiet, io } = context
  let isHeld = true
  for (const date of daysIn(words)) {
    try {
      await unskipService({ date }, tellingCall(context))
      if (!quiet) say(`The service on ${dayText(date)} is held.`, io)
    } catch (error) {
      if (!(error instanceof UserError && error.code === 'not-found')) throw error
      isHeld = false
      say(error.message, io)
    }
  }
  return isHeld
}

/** The running site sends what is queued. */
function tellingCall({ call, readConfig }: Context): Context['call'] {
  return { ...call, sendsMail: readConfig().mail !== undefined }
}

/**
 * Parses days, without repetitions.
 * @throws CommandError 'usage' that names the first word that is not a day.
 */
function daysIn(words: string[]): string[] {
  const wrong = words.find((word) => !calendarDay.safeParse(word).success)
  if (wrong === undefined) return Array.from(new Set(words))
  throw usageError(`${JSON.stringify(wrong)} is not a day. Give one, e.g. 2026-11-21.`)
}

/**
 * The same, for days with a service only.
 * @throws CommandError 'usage' that names the first one on another weekday, and the services around it.
 */
function serviceDaysIn(words: string[], { weekday }: Schedule): string[] {
  const days = daysIn(words)
  const wrong = days.find((day) => weekdayOf(day) !== weekday)
  if (wrong === undefined) return days
  const next = addDays(wrong, (weekday - weekdayOf(wrong) + 7) % 7)
  throw usageError(
    `${dayText(wrong)} has no service: services are on ${weekdayText(weekday)}s, e.g. ${addDays(next, -7)} or ${next}.`,
  )
}

/** @throws CommandError 'usage' for what is not understood. */
function changeOf({ weekday, start, duration, timeZone, closes }: Options): Partial<Schedule> {
  return {
    ...(weekday !== undefined && { weekday: weekdayIn(weekday) }),
    ...(start !== undefined && { startTime: timeIn(start) }),
    ...(duration !== undefined && { durationMinutes: durationIn(duration) }),
    ...(timeZone !== undefined && { timeZone: zoneIn(timeZone) }),
    ...(closes !== undefined && { closesMinutesBefore: closingIn(closes) }),
  }
}

async function skippedText(date: string, before: CurrentSchedule, { call }: Context): Promise<string> {
  const { attending, notAttending } = await countRsvps({ week: date }, call)
  const count = attending + notAttending
  const isOver = serviceOn(before, date).endsAt <= call.now.toISOString()
  return [
    before.skippedDates.includes(date) ? `${dayText(date)} was skipped already.` : `${dayText(date)} is skipped.`,
    ...(isOver ? ['That service is over: it counts as one that was not held.'] : []),
    ...(count === 0 ? [] : [`It has ${counted(count, 'response')}: see \`rsvp list --week ${date}\`.`]),
  ].join(' ')
}

function textsOf(schedule: CurrentSchedule, contradictions: string[]): [string, string][] {
  const { weekday, startTime, durationMinutes, timeZone, closesMinutesBefore, skippedDates } = schedule
  const services = schedule.services.map(({ date, startsAt }) => {
    const start = timeAt(startsAt, timeZone)
    // It differs when clocks are set forward over the usual start.
    return start === startTime ? dayText(date) : `${dayText(date)}, ${clockText(start)}`
  })
  return [
    ['Weekday', weekdayText(weekday)],
    ['Time', clockText(startTime)],
    ['Length', durationText(durationMinutes)],
    ['Time zone', timeZone],
    ['RSVPs close', closingText(closesMinutesBefore)],
    ['Skipped', skippedDates.map((day) => dayText(day)).join('\n') || 'none'],
    ['Confirmed', schedule.confirmed ? 'yes' : 'no, this is the default: see `rsvp schedule --help`'],
    ['Next services', services.join('\n')],
    ...(contradictions.length > 0 ? [['Contradictions', contradictions.join('\n')] satisfies [string, string]] : []),
  ]
}

/** With dates and moments in ISO 8601, one per line. */
function rowsOf(schedule: CurrentSchedule, contradictions: string[]): (string | number)[][] {
  const { weekday, startTime, durationMinutes, timeZone, closesMinutesBefore, skippedDates, services } = schedule
  return [
    ['Weekday', weekdayText(weekday)],
    ['Time', startTime],
    ['Minutes', durationMinutes],
    ['Time zone', timeZone],
    ['RSVPs close', closesMinutesBefore ?? 'none'],
    ['Confirmed', schedule.confirmed ? 'yes' : 'no'],
    ...skippedDates.map((date) => ['Skipped', date]),
    ...services.map(({ date, startsAt, endsAt }) => ['Service', date, startsAt, endsAt]),
    ...contradictions.map((sentence) => ['Contradiction', sentence]),
  ]
}
