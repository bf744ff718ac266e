import { and, asc, not } from 'drizzle-orm'
import * as z from 'zod/mini'
import { type Call, parseInput, seesContactData } from '#db/call.ts'
import { readSchedule } from '#db/schedule.ts'
import { db } from '#db/storage/client.ts'
import { rsvps } from '#db/tables/rsvp.ts'
import { UserError } from '#db/values/errors.ts'
import { familyNameOf, sortByName } from '#db/values/names.ts'
import type { AgeGroup, StoredRsvp, ToCall } from '#db/values/rsvp.ts'
import { PRINTED_MAXIMUM, tooManyToPrint } from '#db/values/rsvp-fields.ts'
import type { Service } from '#db/values/schedule.ts'
import { calendarDay } from '#db/values/schemas.ts'
import { serviceOn } from '#db/values/services.ts'
import { countByWeek, type Headcount, sumOf } from './counts.ts'
import { isSame, listSuperseded } from './duplicates.ts'
import { listNotified } from './queue-mail.ts'
import { oneOf, readStored } from './read.ts'
import { listEveryVolunteerRole, readFilling } from './roles.ts'
import { conditions } from './search.ts'

/** Everything that is printed for one service. */
export type Sheet = Headcount & {
  /** `skipped`: the service is not held, although there may be RSVPs for it. */
  service: Service & { timeZone: string; skipped: boolean }
  /** Those with at least one person expected, by family name. */
  households: Household[]
  /** Every role on offer, and retired ones that people fill, in the order of their creation. */
  roles: FilledRole[]
  /**
   * The messages, including those of people who cannot come, by family name; none for a reader who sees no contact data.
   * They can be left out, because some are confidential. A message that only a superseded RSVP has is included: sending
   * the form again does not withdraw a prayer request.
   */
  messages: { id: number; name: string; attending: boolean; message: string }[]
}

/** One RSVP. */
export type Household = {
  id: number
  /** The sender as typed, even if that person does not come; anonymous once the retention has removed the name. */
  name: string
  /** The part of the name by which the list is sorted. */
  familyName: string
  firstVisit: boolean
  /** The people expected: first the sender, who counts as an adult, then family members. */
  people: { name: string; age: AgeGroup | null }[]
  /** Only for a reader who sees contact data, and so has no other list of it. */
  contact?: { email: string; phone: string | null }
}

export type FilledRole = {
  id: number
  name: string
  retired: boolean
  /** Those who attend and offered to fill it, by family name. */
  people: string[]
  /** How many are needed, null for no limit; `missing` is 0 if enough offered. */
  needed: number | null
  missing: number
}

/** The day of a service. */
const ofService = z.object({ week: calendarDay })

/**
 * The sheet for the service on a day.
 * @throws UserError 'unauthenticated' for a visitor, 'too-large' for more responses than a sheet has.
 */
export async function getSheet(input: unknown, call: Call): Promise<Sheet> {
  const { week } = parseInput(ofService, input)
  assertSees(call.role !== 'visitor')
  const wanted = and(...conditions({ week }))
  if ((await db.$count(rsvps, wanted)) > PRINTED_MAXIMUM) throw new UserError('too-large', tooManyToPrint)
  const headcount = sumOf(await countByWeek({ week }))
  const schedule = await readSchedule()
  const skipped = schedule.skippedDates.includes(week)
  const sent = sortByName(await readStored(wanted, [asc(rsvps.id)]))
  const superseded = new Set(await listSuperseded(week))
  const addsContact = call.role === 'reader' && seesContactData(call)
  return {
    service: { ...serviceOn(schedule, week), timeZone: schedule.timeZone, skipped },
    ...headcount,
    households: sent
      .filter(({ id }) => !superseded.has(id))
      .map((rsvp) => ({
        ...householdOf(rsvp),
        ...(addsContact && { contact: { email: rsvp.email, phone: rsvp.phone } }),
      }))
      .filter((household) => household.people.length > 0),
    roles: await listFilledRoles(week),
    messages: seesContactData(call) ? messagesOf(sent, superseded) : [],
  }
}

/**
 * The people to tell that the service on a day is skipped, by family name: senders of RSVPs by which at least one
 * person would come, and who are not told by mail.
 * @throws UserError 'unauthenticated' for a visitor, and for a reader who sees no contact data.
 */
export async function listToCall(input: unknown, call: Call): Promise<ToCall[]> {
  const { week } = parseInput(ofService, input)
  assertSees(seesContactData(call))
  const [superseded, notified] = await Promise.all([listSuperseded(week), listNotified(week)])
  const sent = await readStored(and(...conditions({ week }), not(oneOf([...superseded, ...notified]))), [asc(rsvps.id)])
  return sortByName(sent)
    .filter((rsvp) => householdOf(rsvp).people.length > 0)
    .map(({ id, name, phone, email }) => ({ id, name, phone, email }))
}

/** The people in each role at the service on a day. */
export async function listFilledRoles(week: string): Promise<FilledRole[]> {
  const roles = await listEveryVolunteerRole()
  const offers = await readFilling([week])
  return roles
    .map((role): FilledRole => {
      const people = sortByName(offers.filter(({ roleId }) => roleId === role.id)).map(({ name }) => name)
      return { ...role, people, missing: Math.max(0, (role.needed ?? 0) - people.length) }
    })
    .filter((role) => !role.retired || role.people.length > 0)
}

function assertSees(isAllowed: boolean): void {
  if (!isAllowed)
    throw new UserError('unauthenticated', 'Only the administrator sees who is expected. Sign in at /admin.')
}

function messagesOf(sent: StoredRsvp[], superseded: ReadonlySet<number>): Sheet['messages'] {
  const newest = sent.filter(({ id }) => !superseded.has(id))
  const isRepeated = (rsvp: StoredRsvp) =>
    superseded.has(rsvp.id) && newest.some((other) => other.message === rsvp.message && isSame(other, rsvp))
  return sent
    .filter((rsvp) => !isRepeated(rsvp))
    .flatMap(({ id, name, attending, message }) => (message === null ? [] : [{ id, name, attending, message }]))
}

function householdOf({ id, name, firstVisit, attending, familyMembers }: StoredRsvp): Household {
  const members = familyMembers
    .filter((member) => member.attending)
    .map((member) => ({ name: member.name, age: member.age }))
  const people = attending ? [{ name, age: 'adult' as const }, ...members] : members
  return { id, name, familyName: familyNameOf(name), firstVisit, people }
}
