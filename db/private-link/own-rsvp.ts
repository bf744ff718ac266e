import { and, eq, sql } from 'drizzle-orm'
import { auditedIfChanged } from '#db/audit/operations.ts'
import { type Call, operation } from '#db/operation.ts'
import { isLive } from '#db/rsvp/list/conditions.ts'
import { momentOfChange, momentOfWithdrawal } from '#db/rsvp/moments.ts'
import { filledAmong, leaveFilledRoles } from '#db/rsvp/roles.ts'
import { revisionOf } from '#db/rsvp/stored.ts'
import { refuseTooMany } from '#db/rsvp/submit/limit.ts'
import { rsvps, volunteerSignups } from '#db/rsvp/table.ts'
import { db } from '#db/storage/client.ts'
import { findByLink, type LinkedRsvp } from './find.ts'
import { linkRequest, type OwnRevision, ownRsvp } from './schema.ts'

/**
 * The RSVP of a private link. Changes nothing: chat programs open links by themselves.
 * @throws UserError as `findByLink` does.
 */
export const getOwnRsvp = operation(
  linkRequest,
  async ({ linkSecret = '' }, call): Promise<OwnRevision> => toOwn(await findByLink(linkSecret, call)),
)

/**
 * Withdraws the RSVP of a private link: it is deleted as an administrator deletes it, and can be taken back while the link
 * works. Twice is once.
 * @throws UserError as `findByLink` does, and 'too-many' when the caller's network has sent as much as it may.
 */
export const withdrawOwnRsvp = operation(linkRequest, async ({ linkSecret = '' }, call): Promise<void> => {
  const { stored, isWithdrawn } = await findByLink(linkSecret, call)
  if (isWithdrawn) return
  await refuseTooMany(call)
  const moment = momentOfWithdrawal(call.now)
  await db.batch([
    db
      .update(rsvps)
      .set({ deletedAt: moment, changedAt: moment })
      .where(and(eq(rsvps.id, stored.id), isLive)),
    auditedIfChanged(bySender(call), 'response deleted', String(stored.id)),
    ...leaveFilledRoles(stored, call),
  ])
})

/**
 * Takes the withdrawal of an RSVP back, without the roles that others fill by now; where it is not withdrawn, nothing
 * changes.
 * @throws UserError as `withdrawOwnRsvp` does.
 */
export const restoreOwnRsvp = operation(linkRequest, async ({ linkSecret = '' }, call): Promise<void> => {
  const { stored, isWithdrawn } = await findByLink(linkSecret, call)
  if (!isWithdrawn) return
  await refuseTooMany(call)
  const isStillWithdrawn = and(eq(rsvps.id, stored.id), eq(rsvps.deletedAt, rsvps.changedAt))
  const roles = stored.attending ? stored.volunteerSignups.map(({ role }) => role.id) : []
  const filled = sql`SELECT id FROM (${filledAmong({ roles, kept: [] }, stored)})`
  await db.batch([
    db
      .delete(volunteerSignups)
      .where(
        and(
          eq(volunteerSignups.rsvpId, stored.id),
          sql`${volunteerSignups.roleId} IN (${filled})`,
          sql`EXISTS (SELECT 1 FROM ${rsvps} WHERE ${isStillWithdrawn})`,
        ),
      ),
    db
      .update(rsvps)
      .set({ deletedAt: null, changedAt: momentOfChange(call.now) })
      .where(isStillWithdrawn),
    auditedIfChanged(bySender(call), 'response restored', String(stored.id)),
  ])
})

/** Whoever has the link acts as the sender, also in a browser in which an administrator has signed in. */
export function bySender(call: Call): Call {
  return { ...call, administrator: false, actor: 'visitor' }
}

/** As its sender sees it. */
export function toOwn({ stored, isWithdrawn, endsAt }: LinkedRsvp): OwnRevision {
  const rsvp = ownRsvp.parse({ ...stored, withdrawnAt: isWithdrawn ? stored.deletedAt : null, endsAt })
  return { rsvp, revision: revisionOf(stored) }
}
