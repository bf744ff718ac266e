/**
 * Puts a note in place of a part of the page that failed, with what is stored, and tells the log of the site, once for
 * each failure and without a word that someone typed. A script of the page, like those of `page-scripts.ts`: what fails
 * may be the loading of scripts.
 * @param thanks under which session storage has the thank-you.
 */
export function followFailures(thanks: string): void {
  const template = document.querySelector<HTMLTemplateElement>('#failed')
  const islands = Array.from(document.querySelectorAll('astro-island'))
  // React empties what fails. What the server has drawn returns to its place: its forms and links need no script.
  const drawn = new Map<Element, string>(islands.map((each) => [each, each.textContent?.trim() ? each.innerHTML : '']))
  const told = new Set<string>()
  const nameOf = (place?: Element) =>
    place?.closest('[component-export]')?.getAttribute('component-export') ?? undefined

  /** The RSVP that this tab has just sent. */
  function sent(): { link?: string } | undefined {
    try {
      return JSON.parse(sessionStorage.getItem(thanks) ?? '')
    } catch {
      return undefined
    }
  }

  function replace(place: Element): void {
    const rsvp = nameOf(place) === 'RsvpForm' ? sent() : undefined
    if (!rsvp && !place.hasChildNodes()) place.innerHTML = drawn.get(place) ?? ''
    place.prepend(template?.content.cloneNode(true) ?? '')
    place.querySelector(rsvp ? '.failed p' : '.failed p + p')?.remove()
    const link = place.querySelector('.failed a')
    if (rsvp?.link) link?.setAttribute('href', rsvp.link)
    else link?.remove()
    place.querySelector('.failed button')?.addEventListener('click', () => location.reload())
  }

  function fail(error: unknown, places: Element[], part = nameOf(places[0]), script = ''): void {
    for (const place of places) replace(place)
    const { name = 'Error', stack = '', message = '' } = Object(error)
    const [at = script] = /assets\/[\w.-]+\.js:\d+:\d+/.exec(stack) ?? []
    // Other scripts are those of extensions. With these numbers React has drawn the part once more, without a loss.
    if (at === '' || told.has(name + at) || /#4[12]\d;/.test(message)) return
    told.add(name + at)
    const body = JSON.stringify({ part, error: name, at })
    fetch('/api/failures', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }).catch(() => {})
  }

  const failed = () =>
    [...islands, ...document.querySelectorAll('[data-failed]')].filter(
      (place) => !place.hasChildNodes() && drawn.get(place) !== '',
    )
  addEventListener('error', ({ error }) => fail(error, failed()))
  addEventListener('unhandledrejection', ({ reason }) => fail(reason, failed()))
  document.addEventListener('astro:hydration-error', (event) => {
    const { error, componentUrl } = (event as CustomEvent<{ error: unknown; componentUrl: string }>).detail
    const place = event.target as Element
    // All parts that one script has are without it: one note is enough.
    const isFirst = drawn.get(place) && !document.querySelector('.failed')
    fail(error, isFirst ? [place] : [], nameOf(place), componentUrl.slice(1))
  })
}
