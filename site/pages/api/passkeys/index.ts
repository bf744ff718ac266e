import { addPasskey } from '#db/access/passkeys.ts'
import { sentCeremony } from '#site/server/access/ceremony.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const POST = endpoint('POST /api/passkeys', addPasskey, { fromHeaders: sentCeremony })
