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
  const reported = new Set<string>()
  const partOf = (place?: Element) => place?.closest('[component-export]')?.getAttribute('component-export')

  /** The RSVP that this tab has just sent. */
  function sent(): { link?: string } | undefined {
    try {
      return JSON.parse(sessionStorage.getItem(thanks) ?? '')
    } catch {
      return undefined
    }
  }

  function replace(place: Element): void {
    const rsvp = partOf(place) === 'RsvpForm' ? sent() : undefined
    if (!rsvp && !place.hasChildNodes()) place.innerHTML = drawn.get(place) ?? ''
    place.prepend(template?.content.cloneNode(true) ?? '')
    place.querySelector(rsvp ? '.failed p' : '.failed p + p')?.remove()
    const link = place.querySelector('.failed a')
    if (rsvp?.link) link?.setAttribute('href', rsvp.link)
    else link?.remove()
    place.querySelector('.failed button')?.addEventListener('click', () => location.reload())
  }

  function report(error: unknown, place?: Element, script = ''): void {
    const { name = 'Error', stack = '', message = '' } = Object(error)
    const [at = script] = /assets\/[\w.-]+\.js:\d+:\d+/.exec(stack) ?? []
    // Other scripts are those of extensions. React recovers from 418 to 425, of hydration, by itself.
    if (at === '' || reported.has(name + at) || /#4(1[89]|2[1-5]);/.test(message)) return
    reported.add(name + at)
    const body = JSON.stringify({ part: partOf(place) ?? undefined, error: name, at })
    fetch('/api/failures', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }).catch(() => {})
  }

  addEventListener('error', ({ error }) => {
    const places = [...islands, ...document.querySelectorAll('[data-failed]')]
    const emptied = places.filter((place) => !place.hasChildNodes() && drawn.get(place) !== '')
    emptied.forEach(replace)
    report(error, emptied[0])
  })
  addEventListener('unhandledrejection', ({ reason }) => report(reason))
  document.addEventListener('astro:hydration-error', (event) => {
    const { error, componentUrl } = (event as CustomEvent<{ error: unknown; componentUrl: string }>).detail
    const place = event.target as Element
    // One script has several parts: one note for all.
    if (drawn.get(place) && !document.querySelector('.failed')) replace(place)
    report(error, place, componentUrl.slice(1))
  })
}
