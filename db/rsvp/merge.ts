import { inArray } from 'drizzle-orm'
import * as z from 'zod/mini'
import { audit } from '#db/audit.ts'
import { type Call, parseInput } from '#db/call.ts'
import { transaction } from '#db/storage/client.ts'
import { rsvps } from '#db/tables/rsvp.ts'
import { UserError } from '#db/values/errors.ts'
import { proposeMerge } from '#db/values/merge.ts'
import { entryChange, type SomeDuplicates } from '#db/values/rsvp.ts'
import { calendarDay } from '#db/values/schemas.ts'
import { isRevision, newestFirst, type SameSender, sentAs } from '#db/values/stored-rsvp.ts'
import { findDuplicates, readSame } from './duplicates.ts'
import { checkedEntry } from './entry.ts'
import { endLinksAfterMerge, type NewLink } from './links-after-merge.ts'
import { readRsvp } from './list.ts'
import { findFilledRoles } from './roles.ts'
import { momentOfDeletion, replaceRsvp } from './write.ts'

/** Without a `week`, those of all services; without a `limit`, all of them. */
const duplicatesRequest = z.object({ week: z.optional(calendarDay), limit: z.optional(z.int()) })

/** People with several RSVPs for one service, the latest first. `superseded` and `newest` ignore the `limit`. */
export async function listDuplicates(
  input: unknown,
): Promise<SomeDuplicates & { superseded: number[]; newest: number[] }> {
  const { week, limit } = parseInput(duplicatesRequest, input)
  const people = (await findDuplicates(week)).sort((one, other) => {
    const [day, otherDay] = [one.newest.serviceDate, other.newest.serviceDate]
    return day === otherDay ? other.newest.id - one.newest.id : day < otherDay ? 1 : -1
  })
  return {
    duplicates: people.slice(0, limit).map(({ newest: { id, name, email, serviceDate }, earlier }) => {
      return { id, name, email, serviceDate, superseded: idsOf(earlier) }
    }),
    total: people.length,
    superseded: people.flatMap(({ earlier }) => idsOf(earlier)),
    newest: people.map(({ newest }) => newest.id),
  }
}

function idsOf(responses: { id: number }[]): number[] {
  return responses.map(({ id }) => id).sort((one, other) => one - other)
}

type Merged = NewLink & { merged: number[]; changedAt: string | null }

/**
 * Keeps a person's newest RSVP for a service, with the fields that are sent or else combined with the others, and
 * deletes those that it supersedes, which can be restored. Whatever is stored meanwhile, the newest is never deleted.
 * Fields that are not sent are as `proposeMerge` proposes them, without roles that others fill. It concerns this service
 * alone, unless several households of the person come every week: then one of them is left.
 * @returns the deleted ids, when the RSVP that stays was changed, and what replaces the links that ended.
 * @throws UserError 'not-found' if there is no such RSVP (any more), 'changed-meanwhile' if it is no longer the newest,
 * has no duplicates (any more) or another revision, 'invalid' with a message per field.
 */
export async function mergeRsvps(input: unknown, call: Call): Promise<Merged> {
  const { id, onlyIfRevision: wanted, ...sent } = parseInput(entryChange, input)
  return transaction(async (tx) => {
    const kept = await readRsvp(id)
    const others = (await readSame(kept)).filter((rsvp) => rsvp.id !== id)
    const group: SameSender = newestFirst([kept, ...others]) ?? [kept]
    const [newest, ...earlier] = group
    if (newest !== kept) throw changed('This is no longer the newest response of this person.')
    if (earlier.length === 0)
      throw changed('This response no longer has duplicates: they may have been merged already.')
    if (!isRevision(kept, wanted)) throw changed('This response was changed meanwhile.')
    const merged = idsOf(earlier)
    const response = parseInput(checkedEntry, { ...sentAs(proposeMerge(group)), ...sent })
    const { serviceDate = kept.serviceDate, volunteerRoles: proposed } = response
    const filled = 'volunteerRoles' in sent ? [] : await findFilledRoles(proposed, { ...response, serviceDate, id })
    const volunteerRoles = proposed.filter((role) => filled.every(({ id }) => id !== role))
    await replaceRsvp(tx, kept, { ...response, volunteerRoles, serviceDate }, call)
    await tx
      .update(rsvps)
      .set({ deletedAt: momentOfDeletion(call.now), mergedInto: id })
      .where(inArray(rsvps.id, merged))
    // Also those that they had replaced.
    await tx.update(rsvps).set({ mergedInto: id }).where(inArray(rsvps.mergedInto, merged))
    const { linkSecret, linkMailed } = await endLinksAfterMerge(tx, group, call)
    const shown = linkSecret === undefined ? '' : ', new link shown'
    await audit(tx, call, 'responses merged', `${merged.join(' and ')} into ${id}${shown}`)
    return { merged, changedAt: (await readRsvp(id)).changedAt, linkSecret, linkMailed }
  })
}

function changed(reason: string): UserError {
  return new UserError('changed-meanwhile', `${reason} Look at the current responses.`)
}
