/**
 * Puts a note in place of a part of the page that failed, with what is stored. A script of the page, like those of
 * `page-scripts.ts`: what fails may be the loading of scripts.
 * @param thanks under which session storage has the thank-you.
 */
export function followFailures(thanks: string): void {
  const template = document.querySelector<HTMLTemplateElement>('#failed')
  const islands = Array.from(document.querySelectorAll('astro-island'))
  // React empties what fails. What the server has drawn returns to its place: its forms and links need no script.
  const drawn = new Map<Element, string>(islands.map((each) => [each, each.textContent?.trim() ? each.innerHTML : '']))

  /** The RSVP that this tab has just sent. */
  function sent(): { link?: string } | undefined {
    try {
      return JSON.parse(sessionStorage.getItem(thanks) ?? '')
    } catch {
      return undefined
    }
  }

  function replace(place: Element): void {
    const rsvp = place.closest('[component-export=RsvpForm]') ? sent() : undefined
    if (!rsvp && !place.hasChildNodes()) place.innerHTML = drawn.get(place) ?? ''
    place.prepend(template?.content.cloneNode(true) ?? '')
    place.querySelector(rsvp ? '.failed p' : '.failed p + p')?.remove()
    const link = place.querySelector('.failed a')
    if (rsvp?.link) link?.setAttribute('href', rsvp.link)
    else link?.remove()
    place.querySelector('.failed button')?.addEventListener('click', () => location.reload())
  }

  addEventListener('error', () => {
    const places = [...islands, ...document.querySelectorAll('[data-failed]')]
    places.filter((place) => !place.hasChildNodes() && drawn.get(place) !== '').forEach(replace)
  })
  document.addEventListener('astro:hydration-error', ({ target }) => {
    const place = target as Element
    // One script has several parts: one note for all.
    if (drawn.get(place) && !document.querySelector('.failed')) replace(place)
  })
}
