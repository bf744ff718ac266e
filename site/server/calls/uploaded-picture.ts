import type { APIContext } from 'astro'
import type { PreparedPicture } from '#db/church/prepare-picture.ts'
import { UserError } from '#db/errors.ts'
import { prepareApart } from '#site/server/church/prepare-apart.ts'
import { mediaType } from './media-type.ts'

const notPicture = 'Send the picture as it is, with its type, e.g. Content-Type: image/jpeg.'

/**
 * What is shown of the picture that a request sends as it is. What it really is, its bytes tell.
 * @throws UserError 'unsupported-media-type' when it says that it is something else; as `preparePicture`.
 */
export async function uploadedPicture({ request }: Pick<APIContext, 'request'>): Promise<PreparedPicture> {
  if (!mediaType(request.headers.get('content-type'))?.startsWith('image/'))
    throw new UserError('unsupported-media-type', notPicture)
  return prepareApart(new Uint8Array(await request.arrayBuffer()))
}
