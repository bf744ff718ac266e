import { and, eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import { UserError } from '#db/errors.ts'
import { type Operation, operation } from '#db/operation.ts'
import { db } from '#db/storage/client.ts'
import { calendarDay, idText } from '#db/values/schemas.ts'
import { findSuperseded, isSuperseded } from './duplicates.ts'
import { enteredRsvp } from './entry/schema.ts'
import { everyField } from './export/json.ts'
import { conditions, isLive, oneOf } from './list/conditions.ts'
import { getRsvp } from './list/operations.ts'
import { lastWordFirst, proposeMerge } from './proposal.ts'
import { replaceRsvp } from './replace-rsvp.ts'
import { type enteredFields, type rsvpId, type SomeDuplicates, storedRsvps } from './schema.ts'
import { noSuchRsvp, revisionOf, sentAs } from './stored.ts'
import { rsvps } from './table.ts'

/** Of one service, or of all; without a `limit` every one of them. */
const duplicatesRequest = z.object({ week: z.optional(calendarDay), limit: z.optional(z.int()) })

/** Who sent several RSVPs for one service, the latest service first, and the ids of all that are superseded, and of the newest. */
export const listDuplicates = operation(
  duplicatesRequest,
  async ({ week, limit }): Promise<SomeDuplicates & { superseded: number[]; newest: number[] }> => {
    const found = await findSuperseded(week)
    const byNewest = Map.groupBy(found, ({ newest }) => newest)
    const people = Array.from(byNewest, ([id, [first]]) => ({ id, serviceDate: first?.serviceDate ?? '' }))
      .sort((one, other) => (one.serviceDate === other.serviceDate ? other.id - one.id : isLater(one, other)))
      .slice(0, limit)
    const named = await namesOf(people.map(({ id }) => id))
    return {
      duplicates: people.flatMap((person) => {
        const names = named.get(person.id)
        // Deleted since they were found.
        if (names === undefined) return []
        const superseded = (byNewest.get(person.id) ?? []).map(({ id }) => id).sort((one, other) => one - other)
        return [{ ...person, ...names, superseded }]
      }),
      total: byNewest.size,
      superseded: found.map(({ id }) => id),
      newest: Array.from(byNewest.keys()),
    }
  },
)

/** What the one that stays says from now on; what is left out is as `proposeMerge` proposes it. */
const merge = z.looseObject({ id: idText, onlyIfRevision: z.optional(z.union([z.literal('any'), z.array(z.int())])) })
type Merge = Partial<z.input<typeof enteredFields>> &
  z.input<typeof rsvpId> & { onlyIfRevision?: 'any' | number[] | undefined }

/**
 * Keeps the newest RSVP of a person for a service, with what is sent or else with all that the others say as well, and
 * deletes those that it supersedes: they can be restored as all that is deleted. Whatever comes in or is changed meanwhile,
 * what was said last is never deleted. Roles that others fill are not proposed.
 * @returns the ids of those that it deleted, and when the one that stays was changed.
 * @throws UserError 'not-found' when there is no such RSVP (any more), 'changed-meanwhile' when it is not the newest any more,
 * has no duplicates (any more) or is another revision, 'invalid' with a message per field.
 */
export const mergeRsvps: Operation<{ merged: number[]; changedAt: string | null }, Merge> = operation(
  merge,
  async ({ id, onlyIfRevision = 'any', ...sent }, call) => {
    const found = await db
      .select({ object: everyField() })
      .from(rsvps)
      .where(and(isLive, ...conditions({ same: String(id) })))
    const group = lastWordFirst(storedRsvps.parse(found.map(({ object }) => JSON.parse(object))))
    const kept = group?.find((rsvp) => rsvp.id === id)
    if (group === undefined || kept === undefined) throw noSuchRsvp()
    const [newest, ...earlier] = group
    if (newest !== kept) throw changed('This is not the newest response of this person any more.')
    if (earlier.length === 0)
      throw changed('This response has no duplicates any more: they may have been merged already.')
    if (onlyIfRevision !== 'any' && !onlyIfRevision.includes(revisionOf(kept)))
      throw changed('This response was changed meanwhile.')
    const merged = earlier.map((rsvp) => rsvp.id).sort((one, other) => one - other)
    const isDecided = 'volunteerRoles' in sent
    const replace = operation(enteredRsvp, (response) => {
      const claims = { roles: response.volunteerRoles, kept: sentAs(kept).volunteerRoles }
      const { serviceDate = kept.serviceDate } = response
      return replaceRsvp(kept, { ...response, serviceDate }, isDecided ? null : claims, call, merged)
    })
    const proposal = { ...sentAs(proposeMerge(group)), ...sent }
    const isReplaced =
      (await replace(proposal, call)) ||
      (!isDecided && (await replace({ ...proposal, volunteerRoles: sentAs(kept).volunteerRoles }, call)))
    // Whoever was first has merged it, or its sender has changed one of them.
    if (!isReplaced) throw await reasonAgainst(kept.id)
    return { merged, changedAt: (await getRsvp({ id: String(id) }, call)).changedAt }
  },
)

function isLater(one: { serviceDate: string }, other: { serviceDate: string }): number {
  return one.serviceDate > other.serviceDate ? -1 : 1
}

async function namesOf(ids: number[]) {
  const found = await db
    .select({ id: rsvps.id, name: rsvps.name, email: rsvps.email })
    .from(rsvps)
    .where(and(isLive, oneOf(ids)))
  return new Map(found.map(({ id, name, email }) => [id, { name, email }]))
}

async function reasonAgainst(id: number): Promise<UserError> {
  const [found] = await db
    .select({ isSuperseded: isSuperseded('rsvps').mapWith(Boolean) })
    .from(rsvps)
    .where(and(eq(rsvps.id, id), isLive))
  if (found === undefined) return noSuchRsvp()
  return changed(
    found.isSuperseded
      ? 'This is not the newest response of this person any more.'
      : 'This response has no duplicates any more: they may have been merged already.',
  )
}

function changed(reason: string): UserError {
  return new UserError('changed-meanwhile', `${reason} Look at what there is now.`)
}
