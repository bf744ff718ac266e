import { and, eq, getTableColumns } from 'drizzle-orm'
import * as z from 'zod/mini'
import { audit } from '#db/audit/operations.ts'
import { UserError } from '#db/errors.ts'
import { operation, operationWithoutInput } from '#db/operation.ts'
import { nextRevision } from '#db/revision.ts'
import { schedules } from '#db/schedule/table.ts'
import { db, openedDatabase, transaction } from '#db/storage/client.ts'
import type { Connection } from '#db/storage/connection.ts'
import { withDeadline } from '#db/storage/deadline.ts'
import { type Church, church, churchChange, preparedPicture } from './schema.ts'
import { churches, churchPictures } from './table.ts'

const { id: _id, ...texts } = getTableColumns(churches)

const stored = db.select(texts).from(churches).prepare()

const storedSizes = db
  .select({ hash: churchPictures.hash, width: churchPictures.width, height: churchPictures.height })
  .from(churchPictures)
  .orderBy(churchPictures.width)
  .prepare()

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
  const [[said], sizes] = await Promise.all([stored.all(), storedSizes.all()])
  if (said === undefined) return { name: null, accent: null, pictureAlt: null, picture: null }
  const [first] = sizes
  return church.parse({ ...said, picture: first === undefined ? null : { hash: first.hash, sizes } })
}

export const changeChurch = operation(churchChange, async (change, call): Promise<Church> => {
  await transaction(async (tx) => {
    // Its name stands in calendars.
    await tx.update(schedules).set({ revision: nextRevision(call.now) })
    await tx.insert(churches).values(change).onConflictDoUpdate({ target: churches.id, set: change })
    await audit(tx, call, 'church changed', Object.keys(change).join(' '))
  })
  return getChurch(call)
})

const others = 'This is not a picture that the site can read. Save it as JPEG, PNG, WebP or AVIF, then send that.'
const heic =
  'This is a HEIC picture, as iPhones store them, which the site cannot read. Export it as JPEG, then send that.'

/** What the files begin with, as Latin letters; a dot is any byte. */
const JPEG = /^\xff\xd8\xff/
const OTHERS = [/^\x89PNG\r\n/, /^RIFF....WEBP/s, /^....ftyp(mif1....(....)*)?avi[fs]/s]
const HEIC = /^....ftyp(hei|hev|mif1|msf1)/s
const BEGINNING = 32

/**
 * Phones take pictures of 50 million pixels. A JPEG is made smaller while it is read; others are held whole, where 12
 * million take 200 MB. A small file can promise any number.
 */
const PIXELS_OF_JPEG = 50_000_000
const PIXELS_OF_OTHERS = 12_000_000

/**
 * How many pixels a picture may have. It looks at the first bytes, which tell more than a name. An SVG is none: it is a
 * document, with scripts.
 * @throws UserError 'unsupported-media-type' for all but JPEG, PNG, WebP and AVIF.
 */
export function pixelsMaximumOf(bytes: Uint8Array): number {
  const beginning = Buffer.from(bytes.subarray(0, BEGINNING)).toString('latin1')
  if (JPEG.test(beginning)) return PIXELS_OF_JPEG
  if (OTHERS.some((format) => format.test(beginning))) return PIXELS_OF_OTHERS
  throw new UserError('unsupported-media-type', HEIC.test(beginning) ? heic : others)
}

const pictureSize = z.object({ hash: z.string(), width: z.coerce.number() })

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
    await transaction(async (tx) => {
      await tx.insert(churches).values({ id: 1 }).onConflictDoNothing()
      await tx.delete(churchPictures)
      await tx
        .insert(churchPictures)
        .values(sizes.map(({ bytes, ...size }) => ({ ...size, hash, bytes: Buffer.from(bytes) })))
      await audit(tx, call, 'church changed', 'picture')
    })
    return getChurch(call)
  })
})

/** Removes the picture with its description. There need not be one. */
export const removePicture = operationWithoutInput(async (call): Promise<Church> => {
  await transaction(async (tx) => {
    await tx.delete(churchPictures)
    await tx.update(churches).set({ pictureAlt: null })
    await audit(tx, call, 'church changed', 'picture removed')
  })
  return getChurch(call)
})
