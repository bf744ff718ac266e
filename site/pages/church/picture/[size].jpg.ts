import type { APIRoute } from 'astro'
import { findPicture } from '#db/church/operations.ts'
import { UserError } from '#db/errors.ts'
import { unchangingReply } from '#site/server/unchanging-reply.ts'

/** As `pictureAddress` writes it. */
const SIZE = /^([\da-f]{16})-(\d{1,4})$/

/** One size of the church's picture, by its hash and its width. */
export const GET: APIRoute = async ({ params, locals }) => {
  const [, hash, width] = SIZE.exec(params.size ?? '') ?? []
  const bytes = hash === undefined ? undefined : await findPicture({ hash, width }, locals.call)
  if (bytes === undefined) throw new UserError('not-found', 'There is no such picture. Load the page again.')
  return unchangingReply(new Uint8Array(bytes), 'image/jpeg')
}
