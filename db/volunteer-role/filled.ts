import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { isSuperseded } from '#db/rsvp/duplicates/superseded.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { volunteerSignups } from './table.ts'

/**
 * How many people fill a role at the service on a day: those who attend, without deleted and superseded RSVPs. Only RSVPs that visitors
 * send have to leave room for others: an administrator who restores one decides alone whether there are more than needed.
 * @param counted which of these RSVPs are counted, e.g. without one that is being changed; a query calls them `host`.
 */
export function countFilling(role: SQLWrapper, date: SQLWrapper, counted = sql`true`): SQL<number> {
  return sql`(
    SELECT count(*) FROM ${rsvps} AS host JOIN ${volunteerSignups} AS signup ON signup.rsvp_id = host.id
    WHERE host.service_date = ${date} AND host.attending AND host.deleted_at IS NULL
      AND signup.role_id = ${role} AND ${counted} AND NOT ${isSuperseded('host')})`
}
