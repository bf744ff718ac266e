import { restoreRsvp } from '#db/rsvp/deletion.ts'
import { endpoint } from '#site/server/endpoint.ts'

export const POST = endpoint(restoreRsvp, { access: 'administrator', input: ({ params }) => params })
