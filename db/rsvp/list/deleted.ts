import { count, desc, gt, inArray, isNotNull, sql } from 'drizzle-orm'
import { operationWithoutInput } from '#db/operation.ts'
import { everyField } from '#db/rsvp/export/json.ts'
import { type DeletedRsvps, storedRsvps } from '#db/rsvp/schema.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { db } from '#db/storage/client.ts'

/** How many responses are listed one by one, and how many deletions of several. */
const RESPONSES = 100
const DELETIONS = 20

const isDeleted = isNotNull(rsvps.deletedAt)
const lastDeleted = [desc(rsvps.deletedAt), desc(rsvps.id)]

/** What can be restored, deleted last first. */
export const getDeletedRsvps = operationWithoutInput(async (): Promise<DeletedRsvps> => {
  // Chosen before the rest of them is read: SQLite would make the JSON of all to sort it.
  const listed = db
    .select({ id: rsvps.id })
    .from(rsvps)
    .where(isDeleted)
    .orderBy(...lastDeleted)
    .limit(RESPONSES)
  const [found, [counted], together] = await Promise.all([
    db
      .select({ object: everyField() })
      .from(rsvps)
      .where(inArray(rsvps.id, listed))
      .orderBy(...lastDeleted),
    db.select({ total: count() }).from(rsvps).where(isDeleted),
    db
      .select({ deletedAt: sql<string>`${rsvps.deletedAt}`, count: count() })
      .from(rsvps)
      .where(isDeleted)
      .groupBy(rsvps.deletedAt)
      .having(gt(count(), 1))
      .orderBy(desc(rsvps.deletedAt))
      .limit(DELETIONS),
  ])
  const responses = storedRsvps.parse(JSON.parse(`[${found.map(({ object }) => object).join(',')}]`))
  return { responses, total: counted?.total ?? 0, together }
})
