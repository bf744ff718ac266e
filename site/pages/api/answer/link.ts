import { sendLink } from '#db/private-link/send-link.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'
import { replyToLinkForm } from '#site/server/calls/form-posts.ts'

export const POST = endpoint('POST /api/answer/link', sendLink, { form: replyToLinkForm })
