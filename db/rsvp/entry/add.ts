import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { auditedIfChanged } from '#db/audit/operations.ts'
import { type Call, operation } from '#db/operation.ts'
import { isOnServiceDay } from '#db/rsvp/service-dates.ts'
import { digestRequest, findStored, keyReused } from '#db/rsvp/submit/idempotency.ts'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import { currentService } from '#db/schedule/services.ts'
import { db } from '#db/storage/client.ts'
import { findRolesNotOffered } from '#db/volunteer-role/operations.ts'
import { newEntry } from './schema.ts'
import { findDayWithoutService } from './service-days.ts'
import { field, storeEntries } from './store.ts'

/**
 * Stores a response that came by telephone or on paper: for the service of this week unless it names another, and without
 * the limits and marks of what visitors send. An administrator may fill a role with more people than it needs. The same
 * idempotency key with the same body again returns the first id.
 * @throws UserError 'invalid' with a message per field, also for a role that is not offered or a day without a service;
 * 'key-reused' and 'deleted' as `findStored` throws them.
 */
export const addRsvp = operation(newEntry, addOnce)

async function addOnce({ idempotencyKey, ...sent }: z.output<typeof newEntry>, call: Call): Promise<{ id: number }> {
  const [digest, rolesNotOffered, schedule] = await Promise.all([
    idempotencyKey === undefined ? { key: randomUUID(), bodyHash: null } : digestRequest(idempotencyKey, sent),
    findRolesNotOffered(sent.volunteerRoles, call),
    readSchedule(),
  ])
  const { serviceDate = currentService(schedule, call.now).date } = sent
  const refused = rolesNotOffered ?? findDayWithoutService(serviceDate, schedule, call.now)
  if (refused === undefined) {
    const entry = { ...sent, ...digest, serviceDate, createdAt: call.now.toISOString() }
    const [rows, ...children] = storeEntries([entry], { wanted: isOnServiceDay(field('serviceDate')) })
    const added = auditedIfChanged(call, 'response added', sql`last_insert_rowid()`)
    const [[stored]] = await db.batch([rows, added, ...children])
    if (stored !== undefined) return stored
  }
  const known = idempotencyKey && (await findStored(idempotencyKey, digest, sent))
  if (known) return { id: known.id }
  if (refused !== undefined) throw refused
  // The service was moved since the schedule was read.
  if ((await readSchedule()).weekday !== schedule.weekday) return addOnce({ idempotencyKey, ...sent }, call)
  throw keyReused()
}
