import { countOldRsvps } from '#db/rsvp/purge.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const GET = endpoint('GET /api/settings/retention', countOldRsvps, {
  input: ({ url }) => ({ days: Number(url.searchParams.get('days')) }),
  reply: (anonymized) => ({ json: { anonymized } }),
})
