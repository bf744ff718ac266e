import { renewInvitation } from '#db/access/administrators.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const POST = endpoint('POST /api/administrators/[id]/invitation', async (input, call, { locals }) => {
  const { id, key } = await renewInvitation(input, call)
  return { id, link: `${locals.origin}/invitation?key=${key}` }
})
