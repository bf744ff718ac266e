import type { APIContext } from 'astro'
import { UserError } from '#db/errors.ts'
import { mediaType } from './media-type.ts'

/**
 * The body of a request that sends a picture as it is. What it really is, its bytes tell.
 * @throws UserError 'unsupported-media-type' when it says that it is something else.
 */
export async function uploadedBytes({ request }: Pick<APIContext, 'request'>): Promise<{ bytes: Uint8Array }> {
  if (!mediaType(request.headers.get('content-type'))?.startsWith('image/')) {
    throw new UserError(
      'unsupported-media-type',
      'Send the picture as it is, with its type, e.g. Content-Type: image/jpeg.',
    )
  }
  return { bytes: new Uint8Array(await request.arrayBuffer()) }
}
