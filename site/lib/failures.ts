/**
 * Adds a note to each part of the page that fails, and reports each failure once to the log of the site, without
 * anything that a visitor typed. An inline script like those in `page-scripts.ts`, because loading a script may fail.
 * @param thanks the key of the thank-you in session storage.
 */
export function followFailures(thanks: string): void {
  const template = document.querySelector<HTMLTemplateElement>('#failed')
  const islands = Array.from(document.querySelectorAll('astro-island'))
  // React removes the contents of an island that fails. The HTML from the server works without a script.
  const serverHtml = new Map<Element, string>(
    islands.map((island) => [island, island.textContent?.trim() ? island.innerHTML : '']),
  )
  const reported = new Set<string>()
  const partOf = (element?: Element) => element?.closest('[component-export]')?.getAttribute('component-export')

  function sentRsvp(): { link?: string } | undefined {
    try {
      return JSON.parse(sessionStorage.getItem(thanks) ?? '')
    } catch {
      return undefined
    }
  }

  function addNote(element: Element): void {
    const rsvp = partOf(element) === 'RsvpForm' ? sentRsvp() : undefined
    if (!rsvp && !element.hasChildNodes()) element.innerHTML = serverHtml.get(element) ?? ''
    element.prepend(template?.content.cloneNode(true) ?? '')
    element.querySelector(rsvp ? '.failed p' : '.failed p + p')?.remove()
    const link = element.querySelector('.failed a')
    if (rsvp?.link) link?.setAttribute('href', rsvp.link)
    else link?.remove()
    element.querySelector('.failed button')?.addEventListener('click', () => location.reload())
  }

  function report(error: unknown, element?: Element, script = ''): void {
    const { name = 'Error', stack = '', message = '' } = (error ?? {}) as Partial<Error>
    const [at = script] = /assets\/[\w.-]+\.js:\d+:\d+/.exec(stack) ?? []
    // Errors elsewhere are those of browser extensions. React recovers from its errors 418 to 425, of hydration.
    if (at === '' || reported.has(name + at) || /#4(1[89]|2[1-5]);/.test(message)) return
    reported.add(name + at)
    const body = JSON.stringify({ part: partOf(element) ?? undefined, error: name, at })
    fetch('/api/failures', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }).catch(() => {})
  }

  addEventListener('error', ({ error }) => {
    const elements = [...islands, ...document.querySelectorAll('[data-failed]')]
    const emptied = elements.filter((element) => !element.hasChildNodes() && serverHtml.get(element) !== '')
    emptied.forEach(addNote)
    report(error, emptied[0])
  })
  addEventListener('unhandledrejection', ({ reason }) => report(reason))
  document.addEventListener('astro:hydration-error', (event) => {
    const { error, componentUrl } = (event as CustomEvent<{ error: unknown; componentUrl: string }>).detail
    const element = event.target as Element
    // A script that does not load breaks several islands: one note is enough.
    if (serverHtml.get(element) && !document.querySelector('.failed')) addNote(element)
    report(error, element, componentUrl.slice(1))
  })
}
