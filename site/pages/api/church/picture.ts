import { changePicture, removePicture } from '#db/church/picture.ts'
import { endpoint, endpointWithoutInput } from '#site/server/calls/endpoint.ts'
import { uploadedBytes } from '#site/server/calls/upload.ts'

export const PUT = endpoint('PUT /api/church/picture', changePicture, { input: uploadedBytes })
export const DELETE = endpointWithoutInput('DELETE /api/church/picture', removePicture, {})
