import { getTableColumns, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import { audited } from '#db/audit/entry.ts'
import { operation, operationWithoutInput } from '#db/operation.ts'
import { nextRevision } from '#db/revision.ts'
import { schedules } from '#db/schedule/table.ts'
import { db, openedDatabase } from '#db/storage/client.ts'
import type { Connection } from '#db/storage/connection.ts'
import { type Church, church, churchChange } from './schema.ts'
import { churches, churchPictures } from './table.ts'

const { id: _id, ...texts } = getTableColumns(churches)

const stored = db
  .select({
    ...texts,
    sizes: sql<string>`(SELECT json_group_array(json_object('hash', size.hash, 'width', size.width, 'height', size.height))
      FROM (SELECT ${churchPictures.hash} AS hash, ${churchPictures.width} AS width, ${churchPictures.height} AS height
        FROM ${churchPictures} ORDER BY 2) AS size)`,
  })
  .from(churches)
  .prepare()

const storedSizes = z.array(z.object({ hash: z.string(), width: z.int(), height: z.int() }))

/** What was read last, and of what. Every page shows it, also those that need nothing else of the database. */
let kept: { connection: Connection; version: string; church: Church } | undefined

/** The name, the accent and the picture of the church, each null where there is none. Reads no bytes of the picture. */
export const getChurch = operationWithoutInput(async (): Promise<Church> => {
  const connection = openedDatabase()
  const version = connection.changes()
  if (kept !== undefined && kept.connection === connection && kept.version === version) return kept.church
  const read = await readChurch()
  const isKnown = version !== undefined && version === connection.changes()
  kept = isKnown ? { connection, version, church: read } : undefined
  return read
})

async function readChurch(): Promise<Church> {
  const [row] = await stored.all()
  if (row === undefined) return { name: null, accent: null, pictureAlt: null, picture: null }
  const { sizes: text, ...said } = row
  const sizes = storedSizes.parse(JSON.parse(text))
  const [first] = sizes
  return church.parse({ ...said, picture: first === undefined ? null : { hash: first.hash, sizes } })
}

/** Changes what is given; returns all of it. */
export const changeChurch = operation(churchChange, async (change, call): Promise<Church> => {
  await db.batch([
    // Its name stands in calendars.
    db.update(schedules).set({ revision: nextRevision(call.now) }),
    db.insert(churches).values(change).onConflictDoUpdate({ target: churches.id, set: change }),
    audited(call, 'church changed', Object.keys(change).join(' ')),
  ])
  return getChurch(call)
})
