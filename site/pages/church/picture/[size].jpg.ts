import type { APIRoute } from 'astro'
import { findPicture } from '#db/church.ts'
import { UserError } from '#db/values/errors.ts'

const YEAR_S = 365 * 24 * 60 * 60
/** As `pictureAddress` writes it. */
const SIZE = /^([\da-f]{16})-(\d{1,4})$/

/** One size of the church's picture, by its hash and its width. */
export const GET: APIRoute = async ({ params }) => {
  const [, hash, width] = SIZE.exec(params.size ?? '') ?? []
  const bytes = hash === undefined ? undefined : await findPicture({ hash, width })
  if (bytes === undefined) throw new UserError('not-found', 'There is no such picture. Load the page again.')
  return new Response(new Uint8Array(bytes), {
    headers: {
      'content-type': 'image/jpeg',
      // The address has the hash of the picture, so its content never changes.
      'cache-control': `public, max-age=${YEAR_S}, immutable`,
      // Chats in a browser load the picture from other origins.
      'cross-origin-resource-policy': 'cross-origin',
    },
  })
}
