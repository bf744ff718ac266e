import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { isSuperseded } from '#db/rsvp/duplicates/superseded.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { volunteerSignups } from './table.ts'

/**
 * How many people fill a role at the service on a day: those who attend, without deleted and superseded RSVPs. Only RSVPs that visitors
 * send have to leave room for others: an administrator who restores one decides alone whether there are more than needed.
 * @param exceptId the RSVP that is not counted, because it is being changed.
 */
export function countFilling(role: SQLWrapper, date: SQLWrapper, exceptId = 0): SQL<number> {
  return sql`(
    SELECT count(*) FROM ${rsvps} AS host JOIN ${volunteerSignups} AS signup ON signup.rsvp_id = host.id
    WHERE host.service_date = ${date} AND host.attending AND host.deleted_at IS NULL AND host.id <> ${exceptId}
      AND signup.role_id = ${role} AND NOT ${isSuperseded('host')})`
}
