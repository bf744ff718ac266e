import { and, asc, eq } from 'drizzle-orm'
import * as z from 'zod/mini'
import { operation } from '#db/operation.ts'
import { db } from '#db/storage/client.ts'
import { calendarDay } from '#db/values/calendar-day.ts'
import { volunteerSignups } from '#db/volunteer-role/table.ts'
import { conditions } from './list/conditions.ts'
import { rsvps } from './table.ts'

/** A person who attends and offered to fill a role. */
export type Serving = { roleId: number; name: string }

/** Who serves on a day, in the order in which they offered to. */
export const listServing = operation(
  z.object({ week: calendarDay }),
  async ({ week }): Promise<Serving[]> =>
    db
      .select({ roleId: volunteerSignups.roleId, name: rsvps.name })
      .from(rsvps)
      .innerJoin(volunteerSignups, eq(volunteerSignups.rsvpId, rsvps.id))
      .where(and(rsvps.attending, ...conditions({ week })))
      .orderBy(asc(rsvps.id)),
)
