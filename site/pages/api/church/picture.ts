import type { APIContext } from 'astro'
import { removePicture, storePicture } from '#db/church/operations.ts'
import type { PreparedPicture } from '#db/church/prepare-picture.ts'
import { UserError } from '#db/errors.ts'
import { endpoint, endpointWithoutInput, mediaType } from '#site/server/calls/endpoint.ts'
import { prepareApart } from '#site/server/church/prepare-apart.ts'

const NOT_PICTURE = 'Send the picture as it is, with its type, e.g. Content-Type: image/jpeg.'

/** Prepares the picture in the body. Its format is read from its bytes, not from the type that the request names. */
async function uploadedPicture({ request }: APIContext): Promise<PreparedPicture> {
  if (!mediaType(request.headers.get('content-type'))?.startsWith('image/'))
    throw new UserError('unsupported-media-type', NOT_PICTURE)
  return prepareApart(new Uint8Array(await request.arrayBuffer()))
}

export const PUT = endpoint('PUT /api/church/picture', storePicture, { input: uploadedPicture })
export const DELETE = endpointWithoutInput('DELETE /api/church/picture', removePicture, {})
