import { randomUUID } from 'node:crypto'
import type * as z from 'zod/mini'
import type { Level } from '#db/access/limits/allowance.ts'
import { type Call, isOpenMode } from '#db/operation.ts'
import { hashOfLinkSecret, linkSecretFor } from '#db/private-link/secret.ts'
import { publicNameOf } from '#db/rsvp/names.ts'
import type { newRsvp } from '#db/rsvp/schema.ts'
import { UNSTAMPED } from '#db/rsvp/table.ts'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import { offeredServices } from '#db/schedule/services.ts'
import { findRolesNotOffered } from '#db/volunteer-role/operations.ts'
import { digestRequest, findStored, keyReused, readWholeRequest } from './idempotency.ts'
import { insertRsvp } from './insertion.ts'
import { levelsOf, noteFloodOnce, refuseTooMany } from './limit.ts'
import { findServiceNotOffered } from './offered-service.ts'
import { rolesFilled } from './roles-filled.ts'
import { suspicionOf } from './suspicion.ts'

/** `linkSecret` is that of the sender's private link; undefined where it is older than such links. */
export type Stored = { id: number; linkSecret: string | undefined }

/**
 * Stores a response that fits, unless its key has stored it before. Nearly always that is one transaction, which it shares
 * with all that come at the same time; only where that stores nothing is it found out why.
 * @param cutBody what was sent, where fields of features that are off were left out of the response.
 * @param calledAt when it was called, by `performance.now()`.
 */
export async function storeOnce(
  sent: z.output<typeof newRsvp>,
  cutBody: unknown,
  call: Call,
  calledAt: number,
): Promise<Stored> {
  const { website, idempotencyKey, formAge, ...response } = sent
  const [digest, linkSecret, rolesNotOffered, schedule] = await Promise.all([
    idempotencyKey === undefined
      ? { key: randomUUID(), bodyHash: null }
      : digestRequest(idempotencyKey, cutBody === undefined ? { website, ...response } : readWholeRequest(cutBody)),
    linkSecretFor(idempotencyKey),
    findRolesNotOffered(response.volunteerRoles, call),
    readSchedule(),
  ])
  const services = offeredServices(schedule, call.now)
  const { serviceDate = services[0]?.date ?? UNSTAMPED } = response
  const notOffered = rolesNotOffered ?? findServiceNotOffered(serviceDate, schedule, services)
  const linkHash = hashOfLinkSecret(linkSecret)
  const publicName = publicNameOf(response.name)
  const createdAt = call.now.toISOString()

  function insert(levels: Level[], flooded: boolean) {
    // In open mode every visitor is an administrator, so no RSVP is suspicious.
    const suspicion = isOpenMode(call) ? null : suspicionOf(website, formAge, flooded)
    const row = {
      ...response,
      ...digest,
      sentKey: idempotencyKey,
      linkHash,
      serviceDate,
      publicName,
      createdAt,
      suspicion,
    }
    return insertRsvp({ response: row, levels, now: call.now.getTime() })
  }

  function linked({ id, linkHash: stored }: { id: number; linkHash: string | null }): Stored {
    return { id, linkSecret: stored === linkHash ? linkSecret : undefined }
  }

  const first = notOffered === undefined ? await insert(levelsOf(call), false) : untried
  if (first.flooded) await noteFloodOnce(call)
  if (first.stored !== undefined) return linked(first.stored)
  const flooded = first.taken ? first.flooded : await refuseTooMany(later(call, performance.now() - calledAt))
  const known = idempotencyKey && (await findStored(idempotencyKey, digest, response))
  if (known) return linked(known)
  if (notOffered !== undefined) throw notOffered
  if (first.filled.length > 0) throw rolesFilled(first.filled, serviceDate, services)
  // The service was moved since the schedule was read.
  if ((await readSchedule()).weekday !== schedule.weekday) return storeOnce(sent, cutBody, call, calledAt)
  const { stored, filled } = await insert([], flooded)
  if (stored === undefined && filled.length > 0) throw rolesFilled(filled, serviceDate, services)
  // Another response was stored with this key at the same moment.
  if (stored === undefined) throw keyReused()
  return linked(stored)
}

const untried = { taken: false, flooded: false, stored: undefined, filled: [] }

/** A call that has waited and asks once more. Those that came meanwhile were counted at a later moment than its own. */
function later(call: Call, ms: number): Call {
  return { ...call, now: new Date(call.now.getTime() + ms) }
}
