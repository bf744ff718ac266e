import { type SQL, sql } from 'drizzle-orm'
import { isSame, isSuperseded, rowOf } from '#db/rsvp/duplicates.ts'
import { countFilling } from '#db/rsvp/roles.ts'
import { erasedKeys, rsvps, volunteerSignups } from '#db/rsvp/table.ts'
import { volunteerRoles } from '#db/volunteer-role/table.ts'
import { field, items } from './items.ts'

/** Whether an RSVP was not stored before. The first versions stored the key as it was sent. */
export const isNew = sql`NOT EXISTS (SELECT 1 FROM ${rsvps} AS known WHERE known.key IN (${field('key')}, ${field('sentKey')}))
  AND NOT EXISTS (SELECT 1 FROM ${erasedKeys} WHERE ${erasedKeys.key} = ${field('key')})`

/** Whether the same person fills this post already: the new RSVP supersedes that one and takes no further place. */
const isFilledByThemselves = sql`EXISTS (
  SELECT 1 FROM ${rowOf({ serviceDate: field('serviceDate'), email: field('email'), name: field('name') })} AS sent
    JOIN ${rsvps} AS earlier ON ${isSame(sql.raw('earlier'), sql.raw('sent'))}
    JOIN ${volunteerSignups} AS signup ON signup.rsvp_id = earlier.id AND signup.role_id = needing.id
  WHERE earlier.attending AND NOT ${isSuperseded('earlier')})`

/**
 * Begins a statement with the posts that new RSVPs want to fill: a post is a role with a need at the service on a day.
 * `wishes` has a row for each post of each RSVP, and `posts` how many more people each can take. Where no role has a need,
 * the RSVPs are not even read.
 */
function withPosts(considered: SQL): SQL {
  const post = sql`${field('serviceDate')} || ' ' || needing.id`
  return sql`WITH RECURSIVE
    needing AS MATERIALIZED (SELECT id, name, needed FROM ${volunteerRoles} WHERE needed IS NOT NULL),
    wishes AS MATERIALIZED (
      SELECT DISTINCT item.key AS place, ${field('key')} || coalesce(${field('bodyHash')}, '') AS request, ${post} AS post,
        ${field('serviceDate')} AS date, needing.id AS role, needing.name, needing.needed
      FROM (SELECT 1 FROM needing LIMIT 1) CROSS JOIN ${items}
        CROSS JOIN json_each(item.value, '$.volunteerRoles') AS wish JOIN needing ON needing.id = wish.value
      WHERE ${field('attending')} AND ${considered} AND ${isNew} AND NOT ${isFilledByThemselves}
    ),
    posts AS MATERIALIZED (
      SELECT post, max(needed - ${countFilling(sql`wanted.role`, sql`wanted.date`)}, 0) AS open
      FROM (SELECT DISTINCT post, role, date, needed FROM wishes) AS wanted
    )`
}

const wanted = sql`(SELECT value FROM json_each(queue.posts))`
const isFilled = sql`EXISTS (SELECT 1 FROM json_each(turn.open) AS post WHERE post.value = 0 AND post.key IN ${wanted})`

/**
 * The places of those RSVPs for which one of their posts is filled when it is their turn. Those that come first have the
 * first turn: each takes all of its posts or none. A request that came twice takes them once.
 * @param considered which of the items have a turn.
 */
export function placesWithoutRoom(considered: SQL): SQL {
  return sql`${withPosts(considered)},
    queue AS MATERIALIZED (
      SELECT row_number() OVER (ORDER BY min(place)) AS number, json_group_array(DISTINCT place) AS places,
        json_group_array(DISTINCT post) AS posts
      FROM wishes GROUP BY request
    ),
    turn (number, places, filled, open) AS (
      SELECT 0, '[]', false, (SELECT json_group_object(post, open) FROM posts)
      UNION ALL
      SELECT queue.number, queue.places, ${isFilled}, iif(${isFilled}, turn.open,
        (SELECT json_group_object(post.key, post.value - (post.key IN ${wanted})) FROM json_each(turn.open) AS post))
      FROM turn JOIN queue ON queue.number = turn.number + 1
    )
    SELECT place.value FROM turn JOIN json_each(turn.places) AS place WHERE turn.filled`
}

/** The filled roles that RSVPs want which are not stored: `place` and `name` of the role. */
export const filledRoles = sql`${withPosts(sql`true`)} SELECT place, name FROM wishes JOIN posts USING (post) WHERE open = 0 ORDER BY role`
