import { millisecondsInMinute } from 'date-fns/constants'
import { eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import { levelsOfNetwork, takeFromEach, tooMany } from '#db/allowance.ts'
import { audit } from '#db/audit.ts'
import { type Call, parseInput } from '#db/call.ts'
import { readKeyedHash } from '#db/keyed-hash.ts'
import { queueMail } from '#db/mail/queue.ts'
import { readSchedule } from '#db/schedule.ts'
import { getSettings } from '#db/settings.ts'
import { db, transaction } from '#db/storage/client.ts'
import { familyMembers, prayers, rsvps } from '#db/tables/rsvp.ts'
import { UserError } from '#db/values/errors.ts'
import type { Allowance } from '#db/values/limits.ts'
import { prayerFields } from '#db/values/prayer.ts'
import { linkChange, linkRequest, linkWish, type OwnRsvp, ownRsvp } from '#db/values/private-link.ts'
import { rsvp } from '#db/values/rsvp.ts'
import { sentAs } from '#db/values/stored-rsvp.ts'
import { daysBefore } from '#db/values/time-zone.ts'
import { changeLinked, findLinked, householdOf, type Linked } from './open-link.ts'
import { beginStanding, changedStanding, changeEveryWeek, shownStanding } from './own-standing.ts'
import { type GivenPrayer, storePrayer } from './prayers.ts'
import { markAddressChanged } from './private-links.ts'
import { dropFilledRoles } from './roles.ts'
import { endStandingsIn, markSeen, resumeStanding } from './standing.ts'
import { dropDisabledFields, findRefusal, offeredFeatures } from './submit.ts'
import { momentOfChange, replaceRsvp } from './write.ts'

/**
 * The RSVP of a private link; for a household that comes every week, that of `week` or the next one. Changes nothing,
 * because chat programs open links by themselves.
 * @throws UserError 'not-found' for an invalid link, 'gone' if the service is over, the church has deleted the RSVP or
 * ended "every week", or its household has ended it long ago; 'invalid' if there is no such week.
 */
export async function getOwnRsvp(input: unknown, call: Call): Promise<OwnRsvp> {
  const link = parseInput(linkRequest, input)
  return toOwn(await findLinked(link, call), link.linkSecret ?? '')
}

/**
 * Changes the RSVP of a private link: fields that are sent replace the stored ones; fields that are left out or belong
 * to a feature that is off stay. Sending what is already stored succeeds, so that a request can be repeated if its
 * reply was lost. With `everyWeek` it changes all weeks of a household, except those that were changed on their own;
 * with `standing`, "every week" begins with the RSVP of a single service.
 * @throws UserError as `getOwnRsvp` does; 'invalid' with a message per field, also for a role or a service that is not
 * offered; 'deleted' while it is withdrawn; 'too-many' if the caller's network has used up its allowance.
 */
export async function changeOwnRsvp(input: unknown, call: Call): Promise<OwnRsvp> {
  const { linkSecret, week, everyWeek, ...sent } = parseInput(linkChange, input)
  const link = { linkSecret, week }
  const [features, settings] = await Promise.all([offeredFeatures(), getSettings()])
  const known = dropDisabledFields(sent, features, settings.prayers)
  await changeLinked(link, call, async (tx, found) => {
    const { household, stored } = found
    if (stored.deletedAt !== null) throw new UserError('withdrawn')
    const before = sentAs(stored)
    const changed = parseInput(rsvp, { ...before, ...known })
    const { serviceDate = stored.serviceDate } = changed
    const every = everyWeek ? householdOf(found) : undefined
    const begins = known.standing === true && household === undefined
    if (household !== undefined && serviceDate !== stored.serviceDate)
      throw new UserError('other-week').at('serviceDate')
    if ((begins || everyWeek) && !changed.attending) throw new UserError('every-week-no').at('attending')
    // The holder of a link that hides the prayer request could have another link sent to any address.
    const isMoved = found.hidesPrayer && changed.email.toLowerCase() !== stored.email.toLowerCase()
    const standing = every && {
      ...changedStanding(every.standing, before, changed, known),
      ...(isMoved && { addressChanged: true }),
    }
    const prayer = found.hidesPrayer ? undefined : await findPrayerChange(stored.id, known)
    const isNew = !isEqual(changed, rsvp.safeParse(before).data) || prayer !== undefined
    const isNewTemplate = !isEqual(standing, every?.standing)
    if (!isNew && !isNewTemplate && !begins && household?.week.decidedBy !== 'another RSVP') return
    const sender = bySender(call)
    const refused = await findRefusal({ ...changed, serviceDate }, await readSchedule(), sender, stored)
    if (refused !== undefined) throw refused
    if (standing) {
      await changeEveryWeek(tx, every, standing, sender)
      if (serviceDate < every.nextDay) return markSeen(tx, standing, call)
    }
    const { id } = stored
    if (household !== undefined) await markSeen(tx, household.standing, call)
    const others = prayer === undefined ? [] : ['prayer']
    await replaceRsvp(tx, stored, { ...changed, serviceDate }, sender, others)
    if (prayer !== undefined) await storePrayer(tx, id, prayer, call)
    if (begins) await beginStanding(tx, { ...stored, serviceDate }, changed, call)
    if (isMoved) await markAddressChanged(tx, id)
  })
  return getOwnRsvp(link, call)
}

/**
 * Withdraws the RSVP of a private link: deletes it as an administrator would, which can be undone while the link works.
 * Without `week`, the link of a household that comes every week ends that. Repeating it changes nothing.
 * @throws UserError as `getOwnRsvp` does, and 'too-many' if the caller's network has used up its allowance.
 */
export async function withdrawOwnRsvp(input: unknown, call: Call) {
  const link = parseInput(linkRequest, input)
  return changeLinked(link, call, async (tx, found) => {
    const { household, stored } = found
    if (household !== undefined && link.week === undefined)
      return endStandingsIn(tx, [household.standing.id], bySender(call), true)
    if (stored.deletedAt !== null) return
    if (household !== undefined) await markSeen(tx, household.standing, call)
    const moment = momentOfChange(call.now)
    await tx.update(rsvps).set({ deletedAt: moment, changedAt: moment }).where(eq(rsvps.id, stored.id))
    await audit(tx, bySender(call), 'response deleted', String(stored.id))
  })
}

/**
 * Undoes the withdrawal of an RSVP, or says yes to a week of a household that has said no to it, without roles that
 * others have filled since. Without `week`, the link of a household takes back that it has ended "every week". Repeating
 * it changes nothing.
 * @throws UserError as `withdrawOwnRsvp` does.
 */
export async function restoreOwnRsvp(input: unknown, call: Call) {
  const link = parseInput(linkRequest, input)
  return changeLinked(link, call, async (tx, found) => {
    const { household, stored } = found
    if (household !== undefined && link.week === undefined)
      return resumeStanding(tx, household.standing, bySender(call))
    const members = stored.familyMembers
    const isNo = household !== undefined && [stored, ...members].every(({ attending }) => !attending)
    const isWithdrawn = stored.deletedAt !== null
    if (!isWithdrawn && !isNo) return
    const { id } = stored
    if (household !== undefined) await markSeen(tx, household.standing, call)
    if (stored.attending || isNo) await dropFilledRoles(tx, stored)
    const changedAt = momentOfChange(call.now)
    await tx
      .update(rsvps)
      .set({ deletedAt: null, changedAt, ...(isNo && { attending: true }) })
      .where(eq(rsvps.id, id))
    if (isNo) await tx.update(familyMembers).set({ attending: true }).where(eq(familyMembers.rsvpId, id))
    const action = isWithdrawn ? 'response restored' : 'response changed'
    await audit(tx, bySender(call), action, isNo ? `${id}: attending` : String(id))
  })
}

/** How many links one network may ask for: a household with several addresses, and some that were mistyped. */
const wishes: Allowance = { atOnce: 5, everyMs: millisecondsInMinute }

/**
 * Queues a message with the private links of the RSVPs of an address. Only the message, once it is made, finds out whether
 * there are any: the reply and its time are the same for every address. Asking again within a minute queues no second message.
 * @throws UserError 'not-found' where no mail is sent, 'too-many' after too many from the caller's network.
 */
export async function sendLink(input: unknown, { now, network, language, sendsMail }: Call): Promise<void> {
  const { email } = parseInput(linkWish, input)
  if (sendsMail !== true) throw new UserError('no-mail')
  const hash = await readKeyedHash()
  const refused = await transaction(async (tx) => {
    const levels = network === undefined ? [] : levelsOfNetwork('send link', network, wishes)
    const empty = await takeFromEach(tx, levels, now)
    if (empty !== undefined) return empty
    const key = `link ${hash('address', email.toLowerCase())} ${Math.floor(now.getTime() / millisecondsInMinute)}`
    const times = { dueAt: now.toISOString(), endsAt: daysBefore(now, -2) }
    await queueMail(tx, [{ key, kind: 'link', address: email, language, ...times }], now)
    return undefined
  })
  if (refused !== undefined) throw tooMany('too-many-links', refused.wait)
}

/** A holder of the link acts as the sender, even in a browser in which an administrator is signed in. */
function bySender(call: Call): Call {
  return { ...call, role: 'visitor', actor: 'visitor' }
}

async function toOwn(found: Linked, linkSecret: string): Promise<OwnRsvp> {
  const { stored, endsAt, household } = found
  const settings = await getSettings()
  return ownRsvp.parse({
    ...stored,
    ...(settings.prayers && !found.hidesPrayer && (await readPrayer(stored.id))),
    withdrawnAt: household?.standing.endedAt ?? stored.deletedAt,
    endsAt,
    standing: household ? await shownStanding(household, linkSecret) : null,
  })
}

/** The prayer request of an RSVP, both null if there is none. */
async function readPrayer(rsvpId: number) {
  const [found] = await db.select().from(prayers).where(eq(prayers.rsvpId, rsvpId))
  return { prayer: found?.text ?? null, prayerAudience: found?.audience ?? null }
}

/** The prayer request after a change; undefined if it stays. @param sent fields that are left out stay. */
async function findPrayerChange(rsvpId: number, sent: object): Promise<GivenPrayer | undefined> {
  const stored = await readPrayer(rsvpId)
  const { prayer, prayerAudience = 'pastor' } = parseInput(z.object(prayerFields), { ...stored, ...sent })
  const stays = prayer === (stored.prayer ?? undefined)
  return stays && (prayer === undefined || prayerAudience === stored.prayerAudience)
    ? undefined
    : { prayer, prayerAudience }
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
