import { getMailState } from '#db/mail/queue.ts'
import { endpoint } from '#site/server/calls/endpoint.ts'
import { refusalText } from '#site/server/problem.ts'

export const GET = endpoint('GET /api/mail', async (_, call) => {
  const { trouble, failed, ...state } = await getMailState(call)
  return {
    ...state,
    trouble: trouble && refusalText(trouble),
    failed: failed.map((mail) => ({ ...mail, failure: refusalText(mail.failure) })),
  }
})
