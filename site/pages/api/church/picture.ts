import { preparePicture, removePicture, storePicture } from '#db/church.ts'
import { UserError } from '#db/values/errors.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

/** The format of the picture is read from its bytes, not from the content type. */
export const PUT = endpoint('PUT /api/church/picture', async (_, call, { request }) => {
  if (!request.headers.get('content-type')?.trim().toLowerCase().startsWith('image/')) {
    const todo = 'Send the picture as it is, with its type, e.g. Content-Type: image/jpeg.'
    throw new UserError('unsupported-media-type', todo)
  }
  return storePicture(await preparePicture(new Uint8Array(await request.arrayBuffer())), call)
})

export const DELETE = endpoint('DELETE /api/church/picture', (_, call) => removePicture(call))
