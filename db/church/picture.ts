import { and, eq } from 'drizzle-orm'
import { audited } from '#db/audit/entry.ts'
import { operation, operationWithoutInput } from '#db/operation.ts'
import { db } from '#db/storage/client.ts'
import { withDeadline } from '#db/storage/deadline.ts'
import { getChurch } from './operations.ts'
import { type Church, pictureSize, preparedPicture } from './schema.ts'
import { churches, churchPictures } from './table.ts'

/** The bytes of one size of the picture, a JPEG; undefined when the picture is another one by now, or there is none. */
export const findPicture = operation(pictureSize, async ({ hash, width }): Promise<Buffer | undefined> => {
  const [row] = await db
    .select({ bytes: churchPictures.bytes })
    .from(churchPictures)
    .where(and(eq(churchPictures.hash, hash), eq(churchPictures.width, width)))
  return row?.bytes
})

/** Puts a picture in place of the one that is stored, in the sizes that are shown. What it was described as stays. */
export const storePicture = operation(preparedPicture, async ({ hash, sizes }, call): Promise<Church> => {
  // To prepare it may take as long as a request may wait for the database.
  return withDeadline(async () => {
    await db.batch([
      db.insert(churches).values({ id: 1 }).onConflictDoNothing(),
      db.delete(churchPictures),
      db
        .insert(churchPictures)
        .values(sizes.map(({ bytes, ...size }) => ({ ...size, hash, bytes: Buffer.from(bytes) }))),
      audited(call, 'church changed', 'picture'),
    ])
    return getChurch(call)
  })
})

/** Removes the picture with its description. There need not be one. */
export const removePicture = operationWithoutInput(async (call): Promise<Church> => {
  await db.batch([
    db.delete(churchPictures),
    db.update(churches).set({ pictureAlt: null }),
    audited(call, 'church changed', 'picture removed'),
  ])
  return getChurch(call)
})
