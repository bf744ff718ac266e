import { randomUUID } from 'node:crypto'
import { and, count, inArray, like, notLike, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { auditedIfChanged } from '#db/audit/entry.ts'
import { UserError } from '#db/errors.ts'
import { type Call, operation, operationWithoutInput } from '#db/operation.ts'
import { isLive } from '#db/rsvp/conditions.ts'
import { type RsvpInput, WRITE_BATCH_SIZE } from '#db/rsvp/schema.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { readSchedule } from '#db/schedule/read-schedule.ts'
import type { Service } from '#db/schedule/schema.ts'
import { offeredServices } from '#db/schedule/services.ts'
import { db } from '#db/storage/client.ts'
import { listVolunteerRoles } from '#db/volunteer-role/operations.ts'
import { SAMPLE_KEY, sampleRsvp } from './sample.ts'

const isSample = like(rsvps.key, `${SAMPLE_KEY}%`)

/**
 * Stores one sample response for each of these moments (ISO 8601 in UTC), in that order. Samples of the same moment
 * are stored together, which is much faster.
 */
export const createSampleRsvps = operation(z.array(z.iso.datetime()), async (moments, call): Promise<void> => {
  const [roles, schedule] = await Promise.all([listVolunteerRoles(call), readSchedule()])
  const roleIds = roles.map((role) => role.id)
  const [current, next] = offeredServices(schedule, call.now)
  for (const moment of new Set(moments)) {
    const offered = offeredServices(schedule, new Date(moment))
    const together = moments.filter((other) => other === moment)
    const samples = together.map(() => {
      const chosen = chooseService(current, next)
      const serviceDate = offered.find(({ date }) => date === chosen?.date)?.date
      return createSample(moment, { ...sampleRsvp(Math.random, roleIds), serviceDate }, call)
    })
    await Promise.all(samples)
  }
})

/** Half are for the service that comes now, which is looked at first, some for the one after it, the others for what came then. */
function chooseService(current: Service | undefined, next: Service | undefined): Service | undefined {
  const chance = Math.random()
  if (chance < 0.5) return current
  return chance < 0.6 ? next : undefined
}

function createSample(moment: string, sample: RsvpInput, call: Call): Promise<{ id: number }> {
  const idempotencyKey = SAMPLE_KEY + randomUUID()
  const then = { ...call, now: new Date(moment) }
  return createRsvp({ ...sample, idempotencyKey }, then).catch((error: unknown) => {
    // The role is filled at that service: visitors would come all the same.
    if (!isAbout(error, 'volunteerRoles')) throw error
    return createRsvp({ ...sample, volunteerRoles: [], idempotencyKey }, then)
  })
}

function isAbout(error: unknown, field: string): boolean {
  return error instanceof UserError && error.fields.some(({ path }) => path === field)
}

/** Whether there are RSVPs other than samples. */
export const hasRealRsvps = operationWithoutInput(async (): Promise<boolean> => {
  const real = and(notLike(rsvps.key, `${SAMPLE_KEY}%`), isLive)
  return (await db.select({ id: rsvps.id }).from(rsvps).where(real).limit(1)).length > 0
})

/** How many sample responses there are. */
export const countSampleRsvps = operationWithoutInput(async (): Promise<number> => {
  const [counted] = await db.select({ samples: count() }).from(rsvps).where(isSample)
  return counted?.samples ?? 0
})

/** Deletes a batch of the sample responses; returns how many. None is left when it returns 0. */
export const deleteSampleRsvps = operationWithoutInput(async (call): Promise<number> => {
  const some = db.select({ id: rsvps.id }).from(rsvps).where(isSample).limit(WRITE_BATCH_SIZE)
  const [deleted] = await db.batch([
    db.delete(rsvps).where(inArray(rsvps.id, some)).returning({ id: rsvps.id }),
    auditedIfChanged(call, 'samples removed', sql`changes()`),
  ])
  return deleted.length
})
