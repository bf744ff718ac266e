import { setImmediate as nextTurn } from 'node:timers/promises'
import type { APIContext } from 'astro'
import pLimit from 'p-limit'
import { findSession } from '#db/access/sessions.ts'
import { withDeadline } from '#db/storage/deadline.ts'
import { UserError } from '#db/values/errors.ts'

/** Pieces of long replies in progress: other calls need turns in between. */
const inTurn = pLimit(2)

/** A reply that is sent while it is made. It ends where the caller has signed out, or was removed, meanwhile. */
export function streamed(
  content: AsyncIterable<string | Uint8Array>,
  { locals }: APIContext,
  headers: Record<string, string>,
): Response {
  locals.isStreamed = true
  const pieces = encoded(content)
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await inTurn(async () => {
        // As long as the system accepts the data at once, nothing else would get a turn until the list ends.
        await nextTurn()
        // The deadline is for each page, not for the whole list.
        return withDeadline(async () => {
          if (await isSignedOut(locals)) throw new UserError('unauthenticated', 'The session is over. Sign in again.')
          return pieces.next()
        })
      })
      if (done) controller.close()
      else controller.enqueue(value)
    },
    // The client disconnected.
    async cancel() {
      await pieces.return(undefined)
    },
  })
  return new Response(body, { headers: { 'cache-control': 'no-store', ...headers } })
}

/** A long list takes minutes: whoever was removed meanwhile gets no more of it. */
async function isSignedOut({ call, token }: App.Locals): Promise<boolean> {
  return token !== undefined && (await findSession(token, call)) === undefined
}

async function* encoded(content: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of content) yield typeof piece === 'string' ? Buffer.from(piece) : piece
}
