import { UserError } from '#db/errors.ts'
import { getFeatures } from '#db/feature/operations.ts'
import { type Call, type Operation, operation } from '#db/operation.ts'
import { replaceRsvp } from '#db/rsvp/replace-rsvp.ts'
import { findFilledRoles } from '#db/rsvp/roles.ts'
import { type Rsvp, rsvp, type StoredRsvp } from '#db/rsvp/schema.ts'
import { revisionOf, sentAs } from '#db/rsvp/stored.ts'
import { dropDisabledFields } from '#db/rsvp/submit/disabled-fields.ts'
import { refuseTooMany } from '#db/rsvp/submit/limit.ts'
import { findServiceNotOffered } from '#db/rsvp/submit/offered-service.ts'
import { rolesFilled } from '#db/rsvp/submit/roles-filled.ts'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import { offeredServices } from '#db/schedule/services.ts'
import { findRolesNotOffered } from '#db/volunteer-role/operations.ts'
import { findByLink, type LinkedRsvp } from './find.ts'
import { bySender, toOwn } from './own-rsvp.ts'
import { type LinkChange, linkChange, type OwnRevision } from './schema.ts'

/**
 * Changes the RSVP of a private link: what is sent replaces what was stored, what is left out or belongs to a feature that
 * is off stays. What is stored already is a success, so that a lost reply can be asked for again.
 * @throws UserError as `findByLink` does; 'invalid' with a message per field, also for a role or a service that is not
 * offered; 'deleted' while it is withdrawn; 'changed-meanwhile' when it is another revision by now; 'too-many' when the
 * caller's network has sent as much as it may.
 */
export const changeOwnRsvp: Operation<OwnRevision, LinkChange> = operation(
  linkChange,
  async ({ linkSecret = '', onlyIfRevision = 'any', ...sent }, call): Promise<OwnRevision> => {
    const found = await findByLink(linkSecret, call)
    await refuseTooMany(call)
    if (found.isWithdrawn)
      throw new UserError('deleted', 'This RSVP is withdrawn. Take that back first, then change it.')
    const known = dropDisabledFields(sent, await getFeatures(call))
    const change = operation(rsvp, (changed) => replace(found, changed, onlyIfRevision, bySender(call)))
    if (await change({ ...sentAs(found.stored), ...Object(known) }, call))
      return toOwn(await findByLink(linkSecret, call))
    throw new UserError(
      'changed-meanwhile',
      'This RSVP was changed meanwhile, perhaps on another device. Look at what it says now, then change it again.',
    )
  },
)

/** @returns whether the RSVP says now what it was changed to. */
async function replace(
  { stored }: LinkedRsvp,
  changed: Rsvp,
  onlyIfRevision: 'any' | number[],
  call: Call,
): Promise<boolean> {
  const before = sentAs(stored)
  if (JSON.stringify(changed) === JSON.stringify(rsvp.safeParse(before).data)) return true
  if (onlyIfRevision !== 'any' && !onlyIfRevision.includes(revisionOf(stored))) return false
  const { serviceDate = stored.serviceDate } = changed
  const newRoles = changed.volunteerRoles.filter((id) => !before.volunteerRoles.includes(id))
  const refused = (await findRolesNotOffered(newRoles, call)) ?? (await findDayNotOffered(serviceDate, stored, call))
  if (refused !== undefined) throw refused
  const roles = changed.attending ? changed.volunteerRoles : []
  const isAsBefore = stored.attending && serviceDate === stored.serviceDate
  const claims = { roles, kept: isAsBefore ? before.volunteerRoles : [] }
  const sent = { ...changed, serviceDate }
  if (await replaceRsvp(stored, sent, claims, call)) return true
  const filled = await findFilledRoles(claims, { ...sent, id: stored.id })
  if (filled.length > 0) throw rolesFilled(filled, serviceDate, offeredServices(await readSchedule(), call.now))
  return false
}

/** Its own service stays possible until it is over, also once no others can be sent for it. */
async function findDayNotOffered(date: string, stored: StoredRsvp, { now }: Call): Promise<UserError | undefined> {
  if (date === stored.serviceDate) return undefined
  const schedule = await readSchedule()
  return findServiceNotOffered(date, schedule, offeredServices(schedule, now))
}
