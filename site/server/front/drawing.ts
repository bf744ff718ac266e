import { UserError } from '#db/errors.ts'
import { openFairQueue } from '#db/fair-queue.ts'

/** More at once are not drawn any faster: there is one thread, and other calls want their turns in between. */
const AT_ONCE = 16
/** Each of them is drawn within some seconds of waiting, and takes some kilobytes until then. */
const WAITING_MAXIMUM = 500

const draw = openFairQueue({ atOnce: AT_ONCE, waitingMaximum: WAITING_MAXIMUM })

/** Draws a page when it is its turn; unless whoever asked for it has gone by then. */
export async function drawInTurn(locals: App.Locals, next: () => Promise<Response>): Promise<Response> {
  // A page that stands in for another one has its turn already.
  if (locals.drawn) return next()
  locals.drawn = true
  try {
    return await draw(next, { line: locals.network, isWanted: () => !locals.reply.destroyed })
  } catch (error) {
    if (error instanceof UserError && error.code === 'overloaded') return overloadedPage()
    throw error
  }
}

/** As short as it can be: there is no time for another. Reloading sends a form again, with everything typed. */
function overloadedPage(): Response {
  const html =
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>One moment</title><p>Very many people use this site at this moment. Reload this page in a few seconds.</p></html>'
  return new Response(html, { status: 503, headers: { 'content-type': 'text/html; charset=utf-8' } })
}
