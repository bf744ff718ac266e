import pLimit from 'p-limit'
import { directionOf, type Language } from '#db/language/languages.ts'
import { t } from '#site/texts/texts.ts'

/** More at a time would not render any faster: there is one thread, and other calls need their turns in between. */
const inTurn = pLimit(16)
/** Each of them waits a few seconds at most, and takes a few kilobytes meanwhile. */
const WAITING_MAXIMUM = 500

/** Renders a page when its turn comes, unless the client has disconnected by then. */
export async function renderInTurn(locals: App.Locals, next: () => Promise<Response>): Promise<Response> {
  // A page that is rendered in place of another one has its turn already.
  if (locals.hasTurn) return next()
  if (inTurn.pendingCount >= WAITING_MAXIMUM) return overloadedPage(locals.language)
  locals.hasTurn = true
  return inTurn(() => (locals.reply.destroyed ? overloadedPage(locals.language) : next()))
}

/** As short as possible: there is no time to render a page. Reloading sends a form again, with everything typed. */
function overloadedPage(language: Language): Response {
  const [title, text] = [t('One moment'), t('This site is very busy right now. Reload this page in a few seconds.')]
  const html = `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><p>${text}</p></html>`
  return new Response(html, { status: 503, headers: { 'content-type': 'text/html; charset=utf-8' } })
}
