import { inviteAdministrator, listAdministrators } from '#db/access/administrators.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const GET = endpoint('GET /api/administrators', listAdministrators)

export const POST = endpoint('POST /api/administrators', async (input, call, { locals }) => {
  const { id, key } = await inviteAdministrator(input, call)
  // The link has the address by which the owner reached the site, because others reach it by the same one.
  return { id, link: `${locals.origin}/invitation?key=${key}` }
})
