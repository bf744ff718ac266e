import type { APIContext } from 'astro'
import { findPicture } from '#db/church/operations.ts'
import { UserError } from '#db/errors.ts'
import { errorReply } from '#site/server/calls/json-call.ts'
import { unchangingReply } from './unchanging-reply.ts'

/** As `pictureAddress` writes it. */
const SIZE = /^([\da-f]{16})-(\d{1,4})$/

/** Replies with the picture that the address names. */
export async function replyWithPicture({ params, request, locals, routePattern }: APIContext): Promise<Response> {
  try {
    const [, hash, width] = SIZE.exec(params.size ?? '') ?? []
    const bytes = hash === undefined ? undefined : await findPicture({ hash, width }, locals.call)
    if (bytes === undefined) throw new UserError('not-found', 'There is no such picture. Load the page again.')
    return unchangingReply(request, new Uint8Array(bytes), 'image/jpeg', `"${params.size}"`)
  } catch (error) {
    const { body, ...head } = errorReply(error, routePattern)
    return new Response(body, head)
  }
}
