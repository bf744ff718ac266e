import { setImmediate as nextTurn } from 'node:timers/promises'
import type { APIContext } from 'astro'
import pLimit from 'p-limit'
import { findSession } from '#db/access/sessions.ts'
import { withDeadline } from '#db/storage/deadline.ts'
import { UserError } from '#db/values/errors.ts'

/** At most two pieces of long replies are made at once, because other calls need turns in between. */
const inTurn = pLimit(2)

/** A reply that is sent while its content is made. It breaks off once the caller is signed out or removed. */
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
        // Without this pause a fast connection would leave other calls no turn until the reply ends.
        await nextTurn()
        // Each piece has its own deadline, because a long list takes minutes.
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

async function isSignedOut({ call, token }: App.Locals): Promise<boolean> {
  return token !== undefined && (await findSession(token, call)) === undefined
}

async function* encoded(content: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of content) yield typeof piece === 'string' ? Buffer.from(piece) : piece
}
