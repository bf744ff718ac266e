import { mergeRsvps } from '#db/rsvp/merge.ts'
import { endpoint, revisionsIn } from '#site/server/calls/endpoint.ts'

export const POST = endpoint('POST /api/rsvps/[id]/merge', async (input, call, { request, locals }) => {
  const { linkSecret, ...reply } = await mergeRsvps({ ...input, onlyIfRevision: revisionsIn(request) }, call)
  return { ...reply, link: linkSecret && `${locals.origin}/answer?key=${linkSecret}` }
})
