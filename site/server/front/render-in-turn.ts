import { UserError } from '#db/errors.ts'
import { openFairQueue } from '#db/fair-queue.ts'
import { directionOf, type Language } from '#db/language/languages.ts'
import { t } from '#site/texts/texts.ts'

/** More at a time would not render any faster: there is one thread, and other calls need their turns in between. */
const AT_ONCE = 16
/** Each of them waits a few seconds at most, and takes a few kilobytes meanwhile. */
const WAITING_MAXIMUM = 500

const inTurn = openFairQueue({ concurrency: AT_ONCE, maximumWaiting: WAITING_MAXIMUM })

/** Renders a page when its turn comes, unless the client has disconnected by then. */
export async function renderInTurn(locals: App.Locals, next: () => Promise<Response>): Promise<Response> {
  // A page that is rendered in place of another one has its turn already.
  if (locals.hasTurn) return next()
  locals.hasTurn = true
  try {
    return await inTurn(next, { line: locals.network, isWanted: () => !locals.reply.destroyed })
  } catch (error) {
    if (error instanceof UserError && error.code === 'overloaded') return overloadedPage(locals.language)
    throw error
  }
}

/** As short as possible: there is no time to render a page. Reloading sends a form again, with everything typed. */
function overloadedPage(language: Language): Response {
  const [title, text] = [t('One moment'), t('This site is very busy right now. Reload this page in a few seconds.')]
  const html = `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><p>${text}</p></html>`
  return new Response(html, { status: 503, headers: { 'content-type': 'text/html; charset=utf-8' } })
}
