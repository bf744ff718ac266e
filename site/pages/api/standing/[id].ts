import { endStanding, keepStanding } from '#db/standing/operations.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const PATCH = endpoint('PATCH /api/standing/[id]', keepStanding, { input: ({ params }) => params })
export const DELETE = endpoint('DELETE /api/standing/[id]', endStanding, {})
