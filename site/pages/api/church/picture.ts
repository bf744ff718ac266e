import { removePicture, storePicture } from '#db/church/operations.ts'
import { endpoint, endpointWithoutInput } from '#site/server/calls/endpoint.ts'
import { uploadedPicture } from '#site/server/calls/uploaded-picture.ts'

export const PUT = endpoint('PUT /api/church/picture', storePicture, { input: uploadedPicture })
export const DELETE = endpointWithoutInput('DELETE /api/church/picture', removePicture, {})
