import { eq, gte, type SQL } from 'drizzle-orm'
import type { RsvpFilter } from './schema.ts'
import { rsvps } from './table.ts'

/** What a filter means to the database. */
export function conditions({ status, since }: RsvpFilter): (SQL | undefined)[] {
  return [
    status === undefined ? undefined : eq(rsvps.attending, status === 'attending'),
    since === undefined ? undefined : gte(rsvps.createdAt, new Date(since).toISOString()),
  ]
}
