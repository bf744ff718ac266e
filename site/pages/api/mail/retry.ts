import { retryMail } from '#db/mail/queue.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'

export const POST = endpoint('POST /api/mail/retry', async (input, call) => ({ queued: await retryMail(input, call) }))
