import { removePasskey } from '#db/access/passkeys.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const DELETE = endpoint('DELETE /api/passkeys/[id]', removePasskey)
