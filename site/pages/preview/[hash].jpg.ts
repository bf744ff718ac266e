import type { APIRoute } from 'astro'
import { findPicture, getChurch } from '#db/church/operations.ts'
import { UserError } from '#db/errors.ts'
import { toContent } from '#db/event/content.ts'
import { defaultEvent } from '#db/event/default-event.ts'
import { getStoredEvent } from '#db/event/operations.ts'
import type { Call } from '#db/operation.ts'
import { getSchedule } from '#db/schedule/operations.ts'
import { loadChurch } from '#site/server/church/church.ts'
import { previewContent } from '#site/server/preview/content.ts'
import { previewHash, previewPicture } from '#site/server/preview/picture.ts'
import { unchangingReply } from '#site/server/unchanging-reply.ts'

/** Shown if the picture cannot be drawn. */
const WITHOUT_TEXT = '/preview.jpg'

/**
 * The picture that chats show beside the link. Any hash gets the current one: a chat may have read an older page, and
 * addresses that a client invents must not cause drawings.
 */
export const GET: APIRoute = async ({ locals: { call }, params, request }) => {
  if (!/^([\da-f]{16}|current)$/.test(params.hash ?? '')) throw new UserError('not-found', 'There is no such picture.')
  const [stored, schedule, church] = await Promise.all([getStoredEvent(call), getSchedule(call), loadChurch(call)])
  const event = stored === null ? defaultEvent : toContent(stored.event)
  const content = previewContent({ event, schedule, church })
  const hash = previewHash(content)
  const picture = await previewPicture(content, () => pictureOfChurch(call))
  if (picture === undefined) return new Response(null, { status: 302, headers: { location: WITHOUT_TEXT } })
  const reply = unchangingReply(request, new Uint8Array(picture), 'image/jpeg', `"${hash}"`)
  // Chats in a browser load it from other origins.
  reply.headers.set('cross-origin-resource-policy', 'cross-origin')
  if (params.hash !== hash) reply.headers.set('cache-control', 'no-cache')
  return reply
}

async function pictureOfChurch(call: Call): Promise<Buffer | undefined> {
  const { picture } = await getChurch(call)
  const largest = picture?.sizes.at(-1)
  if (picture === null || largest === undefined) return undefined
  return findPicture({ hash: picture.hash, width: largest.width }, call)
}
