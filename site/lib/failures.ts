/**
 * Says in place of a part of the page that it failed, and what is stored, and tells the log of the site, once for each
 * failure and without a word that someone typed. A script of the page, like those of `page-scripts.ts`: what has failed
 * may be the loading of scripts.
 * @param thanks under which session storage has the thank-you.
 */
export function followFailures(thanks: string): void {
  const template = document.querySelector<HTMLTemplateElement>('#failed')
  const islands = Array.from(document.querySelectorAll('astro-island'))
  // React empties what fails. What the server has drawn stays in its place: its forms and links work without a script.
  const drawn = new Map<Element, string>(islands.map((each) => [each, each.textContent?.trim() ? each.innerHTML : '']))
  const told = new Set<string>()
  const nameOf = (place?: Element) =>
    place?.closest('[component-export]')?.getAttribute('component-export') ?? undefined

  /** The private link of the RSVP that this tab has just sent, empty if there is none; undefined without an RSVP. */
  function storedLink(): string | undefined {
    try {
      return JSON.parse(sessionStorage.getItem(thanks) ?? '').link ?? ''
    } catch {
      return undefined
    }
  }

  function replace(place: Element): void {
    const note = template?.content.firstElementChild?.cloneNode(true) as HTMLElement
    const [usual, stored] = note.querySelectorAll<HTMLElement>('p')
    const [link] = note.getElementsByTagName('a')
    const [reload] = note.getElementsByTagName('button')
    const url = nameOf(place) === 'RsvpForm' ? storedLink() : undefined
    if (url === undefined) stored?.remove()
    else usual?.remove()
    if (url) link?.setAttribute('href', url)
    else link?.remove()
    reload?.addEventListener('click', () => location.reload())
    if (url === undefined && !place.hasChildNodes()) place.innerHTML = drawn.get(place) ?? ''
    place.prepend(note)
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

  const empty = () =>
    Array.from(document.querySelectorAll('astro-island, [data-failed]')).filter(
      (place) => !place.hasChildNodes() && drawn.get(place) !== '',
    )
  addEventListener('error', ({ error }) => fail(error, empty()))
  addEventListener('unhandledrejection', ({ reason }) => fail(reason, empty()))
  document.addEventListener('astro:hydration-error', (event) => {
    const { error, componentUrl } = (event as CustomEvent<{ error: unknown; componentUrl: string }>).detail
    // All parts that one script has are without it: one note is enough.
    const place = event.target as Element
    const isFirst = drawn.get(place) && !document.querySelector('.failed')
    fail(error, isFirst ? [place] : [], nameOf(place), componentUrl.slice(1))
  })
}
