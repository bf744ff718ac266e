import type { APIRoute } from 'astro'
import { findPicture, getChurch } from '#db/church/operations.ts'
import { cutForChats } from '#db/church/prepare-picture.ts'
import { previewAddress } from '#site/lib/links.ts'
import { unchangingReply } from '#site/server/unchanging-reply.ts'

/** The last one, because only that of the current picture can be requested. */
let kept: { address: string; cut: Buffer } | undefined

/**
 * The church's picture as chats show it beside the link. Other addresses lead to the current one: a chat may have read
 * an older page.
 */
export const GET: APIRoute = async ({ locals: { call }, params }) => {
  const church = await getChurch(call)
  const address = previewAddress(church)
  const [hash, width] = [church.picture?.hash, church.picture?.sizes.at(-1)?.width]
  const isCurrent = address === `/preview/${params.cut}.jpg`
  const stored = isCurrent && kept?.address !== address ? await findPicture({ hash, width }, call) : undefined
  if (stored !== undefined) kept = { address, cut: await cutForChats(stored, church.pictureFocus) }
  if (!isCurrent || kept?.address !== address)
    return new Response(null, { status: 302, headers: { location: address } })
  const reply = unchangingReply(new Uint8Array(kept.cut), 'image/jpeg')
  // Chats in a browser load it from other origins.
  reply.headers.set('cross-origin-resource-policy', 'cross-origin')
  return reply
}
