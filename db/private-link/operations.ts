import { and, eq, inArray } from 'drizzle-orm'
import { levelsOfNetwork, takeUnlessOutage, tooMany } from '#db/access/allowance.ts'
import { audit } from '#db/audit/operations.ts'
import type { Allowance } from '#db/config/setting-values.ts'
import { UserError } from '#db/errors.ts'
import { getFeatures } from '#db/feature/operations.ts'
import { type Call, type Operation, operation, parseInput } from '#db/operation.ts'
import { readSame } from '#db/rsvp/duplicates.ts'
import { refuseTooMany } from '#db/rsvp/limit.ts'
import { hashOfLinkSecret } from '#db/rsvp/link-secret.ts'
import { momentOfChange, momentOfWithdrawal } from '#db/rsvp/moments.ts'
import { readStored } from '#db/rsvp/read.ts'
import { findFilledRoles, leaveFilledRoles } from '#db/rsvp/roles.ts'
import { rsvp, type StoredRsvp } from '#db/rsvp/schema.ts'
import { deletionOf, isRevision, revisionOf, sentAs } from '#db/rsvp/stored.ts'
import { dropDisabledFields, findRefusal } from '#db/rsvp/submit.ts'
import { rsvps, volunteerSignups } from '#db/rsvp/table.ts'
import { replaceRsvp } from '#db/rsvp/write.ts'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import { nextService, serviceOn } from '#db/schedule/services.ts'
import { type Transaction, transaction } from '#db/storage/client.ts'
import { type LinkChange, linkChange, linkRequest, type OwnRevision, ownRsvp } from './schema.ts'

/** How many invalid links one network may try. 128 bits cannot be guessed; the limit spares the site the work. */
const guesses: Allowance = { atOnce: 20, everyMs: 60_000 }

/** `isWithdrawn`: its sender has withdrawn it. */
type LinkedRsvp = { stored: StoredRsvp; isWithdrawn: boolean; endsAt: string }

/**
 * The RSVP of a private link. Changes nothing, because chat programs open links by themselves. Only invalid links are
 * counted, so that a guesser never locks out others in the same network.
 * @throws UserError 'not-found' for an invalid link, 'too-many' after too many of them from the caller's network,
 * 'gone' if the service is over or the church has deleted the RSVP.
 */
export const getOwnRsvp = operation(linkRequest, async ({ linkSecret = '' }, call): Promise<OwnRevision> => {
  const found = await readLinked(linkSecret, call)
  if (found !== undefined) return toOwn(found)
  if (linkSecret !== '') await refuseTooManyGuesses(call)
  throw noSuchLink()
})

/**
 * Changes the RSVP of a private link: fields that are sent replace the stored ones; fields that are left out or belong
 * to a feature that is off stay. Sending what is already stored succeeds, so that a request can be repeated if its
 * reply was lost.
 * @throws UserError as `getOwnRsvp` does; 'invalid' with a message per field, also for a role or a service that is not
 * offered; 'deleted' while it is withdrawn; 'changed-meanwhile' if it has another revision; 'too-many' if the caller's
 * network has used up its allowance.
 */
export const changeOwnRsvp: Operation<OwnRevision, LinkChange> = operation(
  linkChange,
  async ({ linkSecret = '', onlyIfRevision, ...sent }, call): Promise<OwnRevision> => {
    await getOwnRsvp({ linkSecret }, call)
    await refuseTooMany(call)
    const known = dropDisabledFields(sent, await getFeatures(call))
    await transaction(
      async (tx) => {
        const { stored, isWithdrawn } = await getLinked(linkSecret, call)
        if (isWithdrawn) throw new UserError('deleted', 'This RSVP is withdrawn. Take that back first, then change it.')
        const before = sentAs(stored)
        const changed = parseInput(rsvp, { ...before, ...Object(known) })
        if (JSON.stringify(changed) === JSON.stringify(rsvp.safeParse(before).data)) return
        if (!isRevision(stored, onlyIfRevision))
          throw new UserError(
            'changed-meanwhile',
            'This RSVP was changed meanwhile, perhaps on another device. Look at what it says now, then change it again.',
          )
        const { serviceDate = stored.serviceDate } = changed
        const refused = await findRefusal({ ...changed, serviceDate }, await readSchedule(), bySender(call), stored)
        if (refused !== undefined) throw refused
        await replaceRsvp(tx, stored.id, { ...changed, serviceDate }, bySender(call))
        await leaveFilledRoles(tx, stored, call)
      },
      { repeatable: true },
    )
    return getOwnRsvp({ linkSecret }, call)
  },
)

/**
 * Withdraws the RSVP of a private link: deletes it as an administrator would, which can be undone while the link works.
 * Repeating it changes nothing.
 * @throws UserError as `getOwnRsvp` does, and 'too-many' if the caller's network has used up its allowance.
 */
export const withdrawOwnRsvp = operation(linkRequest, ({ linkSecret = '' }, call) =>
  changeWithdrawal(linkSecret, true, call, async (tx, stored) => {
    const moment = momentOfWithdrawal(call.now)
    await tx.update(rsvps).set({ deletedAt: moment, changedAt: moment }).where(eq(rsvps.id, stored.id))
    await audit(tx, bySender(call), 'response deleted', String(stored.id))
    await leaveFilledRoles(tx, stored, call)
  }),
)

/**
 * Undoes the withdrawal of an RSVP, without roles that others have filled since. Repeating it changes nothing.
 * @throws UserError as `withdrawOwnRsvp` does.
 */
export const restoreOwnRsvp = operation(linkRequest, ({ linkSecret = '' }, call) =>
  changeWithdrawal(linkSecret, false, call, async (tx, stored) => {
    await leaveOwnFilledRoles(tx, stored)
    const changedAt = momentOfChange(call.now)
    await tx.update(rsvps).set({ deletedAt: null, changedAt }).where(eq(rsvps.id, stored.id))
    await audit(tx, bySender(call), 'response restored', String(stored.id))
  }),
)

/** @param change withdraws the RSVP or undoes that; not called if that is the state already. */
async function changeWithdrawal(
  linkSecret: string,
  withdraw: boolean,
  call: Call,
  change: (tx: Transaction, stored: StoredRsvp) => Promise<void>,
): Promise<void> {
  const { rsvp: own } = await getOwnRsvp({ linkSecret }, call)
  if ((own.withdrawnAt !== null) === withdraw) return
  await refuseTooMany(call)
  await transaction(
    async (tx) => {
      const { stored, isWithdrawn } = await getLinked(linkSecret, call)
      if (isWithdrawn !== withdraw) await change(tx, stored)
    },
    { repeatable: true },
  )
}

async function leaveOwnFilledRoles(tx: Transaction, stored: StoredRsvp): Promise<void> {
  const roles = stored.attending ? stored.volunteerSignups.map(({ role }) => role) : []
  const filled = await findFilledRoles(
    roles.map(({ id }) => id),
    stored,
  )
  const left = roles.filter(({ name }) => filled.includes(name)).map(({ id }) => id)
  if (left.length === 0) return
  await tx
    .delete(volunteerSignups)
    .where(and(eq(volunteerSignups.rsvpId, stored.id), inArray(volunteerSignups.roleId, left)))
}

async function getLinked(secret: string, call: Call): Promise<LinkedRsvp> {
  const found = await readLinked(secret, call)
  if (found === undefined) throw noSuchLink()
  return found
}

/** @throws UserError 'gone' when the service is over or the church has deleted the RSVP. */
async function readLinked(secret: string, { now }: Call): Promise<LinkedRsvp | undefined> {
  const [stored] = await readStored(eq(rsvps.linkHash, hashOfLinkSecret(secret)))
  if (stored === undefined) return undefined
  const schedule = await readSchedule()
  const { endsAt } = stored.serviceDate ? serviceOn(schedule, stored.serviceDate) : nextService(schedule, now)
  if (endsAt <= now.toISOString())
    throw new UserError('gone', 'The service of this RSVP is over. Send a new one for the next service.')
  const isWithdrawn = deletionOf(stored) === 'withdrawn'
  if (stored.deletedAt !== null && !isWithdrawn) throw new UserError('gone', await reasonOfDeletion(stored))
  return { stored, isWithdrawn, endsAt }
}

/** After a merge, sending it again would only create another duplicate. */
async function reasonOfDeletion(deleted: StoredRsvp): Promise<string> {
  return (await readSame(deleted)).length === 0
    ? 'The church has deleted this RSVP. If you are still coming, send it again.'
    : 'The church has deleted this RSVP because you sent another, which counts. Use the link of that one to change it.'
}

async function refuseTooManyGuesses({ network, now }: Call): Promise<void> {
  if (network === undefined) return
  // With a full disk nothing is counted, and the link is still refused as invalid.
  const empty = await takeUnlessOutage(levelsOfNetwork('link', network, guesses), now)
  if (empty !== undefined)
    throw tooMany(
      empty.wait,
      (time) => `Too many links that do not work were opened in your network. Wait ${time}, then open yours again.`,
    )
}

function noSuchLink(): UserError {
  return new UserError(
    'not-found',
    'This link does not work, or this browser has forgotten it. Open the whole link once more, or tell the church office what you would like to change.',
  )
}

/** A holder of the link acts as the sender, even in a browser in which an administrator is signed in. */
function bySender(call: Call): Call {
  return { ...call, role: 'visitor', actor: 'visitor' }
}

function toOwn({ stored, isWithdrawn, endsAt }: LinkedRsvp): OwnRevision {
  const own = ownRsvp.parse({ ...stored, withdrawnAt: isWithdrawn ? stored.deletedAt : null, endsAt })
  return { rsvp: own, revision: revisionOf(stored) }
}
