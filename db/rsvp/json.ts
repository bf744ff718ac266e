import { sql } from 'drizzle-orm'
import { familyMembers } from '#db/family-member/table.ts'
import { volunteerRoles, volunteerSignups } from '#db/volunteer-role/table.ts'
import { PUBLIC_NAME_RULE } from './public-name/public-name.ts'
import { rsvps } from './table.ts'

// SQLite makes the JSON: five times faster than rows that drizzle maps one by one, and a page is a few strings.
// The lists are ordered in a subquery: a libSQL server does not know ORDER BY inside json_group_array.

const attending = sql`json(iif(${rsvps.attending}, 'true', 'false'))`

const members = sql`(
  SELECT json_group_array(json_object(
    'name', member.name,
    'age', member.age,
    'attending', json(iif(member.attending, 'true', 'false'))))
  FROM (SELECT * FROM ${familyMembers} WHERE rsvp_id = ${rsvps}.id ORDER BY position) AS member)`

const signups = sql`(
  SELECT json_group_array(json_object('role', json_object('id', role.id, 'name', role.name)))
  FROM (SELECT offered.id, offered.name FROM ${volunteerSignups} AS signup
    JOIN ${volunteerRoles} AS offered ON offered.id = signup.role_id
    WHERE signup.rsvp_id = ${rsvps}.id ORDER BY offered.id) AS role)`

// Where an older rule made it, no more than the first letter until `renewPublicNames` has been there.
const nameAndInitial = sql`iif(${rsvps.publicNameRule} = ${PUBLIC_NAME_RULE}, ${rsvps.publicName}, substr(${rsvps.name}, 1, 1) || '.')`

/** A response as everyone may see it (`PublicRsvp`): who it is from, in full or as in `Ana C.` */
export function publicFields(names: 'full' | 'initial') {
  return sql<string>`json_object('id', ${rsvps.id}, 'name', ${names === 'full' ? rsvps.name : nameAndInitial},
    'attending', ${attending}, 'createdAt', ${rsvps.createdAt})`
}

/** A response as an administrator sees it (`StoredRsvp`). */
export const everyField = sql<string>`json_object(
  'id', ${rsvps.id}, 'name', ${rsvps.name}, 'email', ${rsvps.email}, 'phone', ${rsvps.phone},
  'message', ${rsvps.message}, 'attending', ${attending},
  'addToCalendar', json(iif(${rsvps.addToCalendar}, 'true', 'false')), 'calendarType', ${rsvps.calendarType},
  'createdAt', ${rsvps.createdAt}, 'deletedAt', ${rsvps.deletedAt}, 'suspicion', ${rsvps.suspicion},
  'familyMembers', ${members}, 'volunteerSignups', ${signups})`
