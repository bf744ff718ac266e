// Functions that a page contains as scripts, so each can use nothing from outside itself. They run before the rest of
// the page is drawn or has loaded, so that nothing moves once it is visible.

/** JSON for a script element: nothing in it ends the element or begins a comment. */
export function jsonInHtml(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

/** Shows the buttons that copy the link, and that open the browser's share sheet, if it has one. */
export function offerSharing(): void {
  const block = document.querySelector('.share')
  const [copy, share] = block?.querySelectorAll('button') ?? []
  const field = block?.querySelector<HTMLElement>('.share__link')
  const input = field?.querySelector('input')
  if (!block || !copy || !share || !field || !input) return
  const url = input.value
  copy.hidden = false
  copy.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(url)
    } catch {
      // Plain HTTP has no clipboard API, but the older call, which copies the selection. If it is refused, the link stays.
      field.hidden = false
      input.select()
      if (!document.execCommand('copy')) return
      copy.focus()
    }
    field.hidden = true
    for (const place of block.querySelectorAll<HTMLElement>('[data-copied]'))
      place.textContent = place.dataset.copied ?? ''
  })
  share.hidden = navigator.share === undefined
  share.addEventListener('click', () => {
    // Rejects if the visitor closes the sheet, or the browser does not allow it: neither is an error.
    navigator.share({ title: document.title, text: share.dataset.text ?? '', url }).catch(() => {})
  })
}

/** Repeats the last press of a button whose island was not hydrated yet. */
export function repeatEarlyClick(): void {
  let pressed: HTMLElement | null = null
  const repeat = () => pressed?.click()
  addEventListener('click', ({ target }) => {
    pressed = target instanceof Element ? target.closest<HTMLElement>('button[type="button"]') : null
    pressed?.closest('astro-island[ssr]')?.addEventListener('astro:hydrate', repeat, { once: true })
  })
}

/** Closes lists that open over the page, on Escape and on a press outside of them. */
export function closeMenus(): void {
  const close = (isDone: (menu: Element) => boolean) => {
    for (const menu of document.querySelectorAll('.menu[open]')) if (isDone(menu)) menu.removeAttribute('open')
  }
  addEventListener('click', ({ target }) => close((menu) => !menu.contains(target as Node)))
  addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return
    close((menu) => {
      if (menu.contains(document.activeElement)) menu.querySelector('summary')?.focus()
      return true
    })
  })
}

/** Shows the page as `reloadWith` has kept it under this name: scrolled, with the focus. */
export function restorePlace(name: string): void {
  try {
    const { path, scrolled, focus } = JSON.parse(sessionStorage.getItem(name) ?? '{}')
    if (path !== location.pathname) return
    const target = document.querySelector<HTMLElement>(focus) ?? document.getElementById('responses')
    target?.closest('details')?.setAttribute('open', '')
    // After the load of a reloaded page, the browser would scroll once more.
    history.scrollRestoration = 'manual'
    addEventListener('pagehide', () => {
      history.scrollRestoration = 'auto'
    })
    scrollTo({ top: scrolled, behavior: 'instant' })
    target?.focus({ preventScroll: true })
  } catch {
    // Storage is denied or invalid: the page stays as it is.
  }
}

/** Hides the form until the code of the thank-you has loaded, if this tab or the device keeps one that is not over. */
export function awaitThanks(name: string): void {
  const { classList } = document.querySelector('.page__form') ?? document.body
  try {
    for (const storage of [sessionStorage, localStorage]) {
      const kept = JSON.parse(storage.getItem(name) ?? 'null')
      if (Date.parse(kept?.endsAt) <= Date.now()) storage.removeItem(name)
      else if (kept) classList.add('page__form--thanked')
    }
  } catch {
    // Storage is denied or invalid: the page stays as it is.
  }
  // If that code cannot be loaded, the form appears after all.
  setTimeout(() => classList.remove('page__form--thanked'), 3000)
}
