import * as z from 'zod/mini'
import { UserError } from '#db/errors.ts'
import { type Call, type Operation, operation } from '#db/operation.ts'
import { isAnonymous } from '#db/rsvp/fields.ts'
import { getRsvp } from '#db/rsvp/list/operations.ts'
import { replaceRsvp } from '#db/rsvp/replace-rsvp.ts'
import { changedBefore, type enteredFields, type rsvpId, type StoredRsvp } from '#db/rsvp/schema.ts'
import { revisionOf, sentAs } from '#db/rsvp/stored.ts'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import { findRolesNotOffered } from '#db/volunteer-role/operations.ts'
import { type EnteredRsvp, enteredRsvp } from './schema.ts'
import { findDayWithoutService } from './service-days.ts'

/** How often a change of any revision is tried while others change the same response. */
const TRIES = 20

/** Some of what is entered, which is checked together with what stays. */
const entryChange = z.looseObject(
  {
    id: z.unknown(),
    /** Changes it only while it is one of these revisions, see `revisionOf`. */
    onlyIfRevision: z.optional(z.union([z.literal('any'), z.array(z.int())])),
    changedAt: z.optional(changedBefore),
  },
  'Send what changes as a JSON object.',
)
type EntryChange = Partial<z.input<typeof enteredFields>> &
  z.input<typeof rsvpId> & { onlyIfRevision?: 'any' | number[] | undefined; changedAt?: string | null | undefined }

/**
 * Changes a response: what is sent replaces what was stored, what is left out stays. What it says already is a success, so
 * that a change whose reply was lost can be sent again. The roles and the service that it has can stay, whether or not they
 * are offered.
 * @throws UserError 'not-found' when there is no such response (any more), 'invalid' with a message per field,
 * 'changed-meanwhile' when it is another revision by now.
 */
export const changeRsvp: Operation<void, EntryChange> = operation(
  entryChange,
  async ({ id, onlyIfRevision = 'any', changedAt, ...sent }, call): Promise<void> => {
    for (let triesLeft = TRIES; ; triesLeft--) {
      const stored = await getRsvp({ id }, call)
      if (isAnonymous(stored)) throw new UserError('not-found', 'This response is anonymous and cannot be changed.')
      const replace = operation(enteredRsvp, (changed) =>
        replaceIn(stored, changed, { onlyIfRevision, changedAt }, call),
      )
      if (await replace({ ...sentAs(stored), ...sent }, call)) return
      // Whoever changes any revision wants what was changed meanwhile to stay beside it.
      if (onlyIfRevision === 'any' && triesLeft > 1) continue
      throw new UserError(
        'changed-meanwhile',
        'This response was changed meanwhile. Load the page again to see what it says now, then change it.',
      )
    }
  },
)

/** @returns whether the response says now what it was changed to. */
async function replaceIn(
  stored: StoredRsvp,
  changed: EnteredRsvp,
  { onlyIfRevision, changedAt }: { onlyIfRevision: 'any' | number[]; changedAt: string | null | undefined },
  call: Call,
): Promise<boolean> {
  const before = sentAs(stored)
  const isSame = JSON.stringify(changed) === JSON.stringify(enteredRsvp.safeParse(before).data)
  if (isSame && (changedAt === undefined || changedAt === stored.changedAt)) return true
  if (onlyIfRevision !== 'any' && !onlyIfRevision.includes(revisionOf(stored))) return false
  if (changedAt !== undefined && (changedAt ?? '') >= (stored.changedAt ?? ''))
    throw new UserError('invalid', 'Give changedAt as a moment before the last change, or null.')
  const { serviceDate = stored.serviceDate } = changed
  const added = changed.volunteerRoles.filter((role) => !before.volunteerRoles.includes(role))
  const isMoved = serviceDate !== stored.serviceDate
  const refused =
    (await findRolesNotOffered(added, call)) ??
    (isMoved ? findDayWithoutService(serviceDate, await readSchedule(), call.now) : undefined)
  if (refused !== undefined) throw refused
  // An administrator may fill a role with more people than it needs.
  const taken = changedAt === undefined ? {} : { changedAt }
  return replaceRsvp(stored, { ...changed, serviceDate, ...taken }, null, call)
}
