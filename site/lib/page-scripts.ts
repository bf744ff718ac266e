// Functions that pages contain as inline scripts, so none can use anything outside itself. They run before the page is
// painted or loaded, so that nothing moves once it is visible.

/** JSON that is safe in a script element: it neither ends the element nor begins a comment. */
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
      // Plain HTTP has only the older API, which copies the selection. If that fails, the link stays visible.
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
    // Rejects if the visitor closes the sheet or the browser denies it. Neither is an error.
    navigator.share({ title: document.title, text: share.dataset.text ?? '', url }).catch(() => {})
  })
}

/** Repeats the last click on a button that was pressed before its island was hydrated. */
export function repeatEarlyClick(): void {
  let pressed: HTMLElement | null = null
  const repeat = () => pressed?.click()
  addEventListener('click', ({ target }) => {
    pressed = target instanceof Element ? target.closest<HTMLElement>('button[type="button"]') : null
    pressed?.closest('astro-island[ssr]')?.addEventListener('astro:hydrate', repeat, { once: true })
  })
}

/** Closes menus on Escape and on a click outside of them. */
export function closeMenus(): void {
  addEventListener('click', ({ target }) => {
    for (const menu of document.querySelectorAll('.menu[open]'))
      if (!menu.contains(target as Node)) menu.removeAttribute('open')
  })
  addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return
    for (const menu of document.querySelectorAll('.menu[open]')) {
      if (menu.contains(document.activeElement)) menu.querySelector('summary')?.focus()
      menu.removeAttribute('open')
    }
  })
}

/** Restores the scroll position and the focus that `reloadWith` stored under this key. */
export function restorePlace(name: string): void {
  try {
    const { path, scrolled, focus } = JSON.parse(sessionStorage.getItem(name) ?? '{}')
    if (path !== location.pathname) return
    const target = document.querySelector<HTMLElement>(focus) ?? document.getElementById('responses')
    target?.closest('details')?.setAttribute('open', '')
    // In the settings, the address shows its group.
    if (target?.checkVisibility?.() === false) location.replace(`#${target.id}`)
    // Otherwise the browser scrolls once more after it has loaded a reloaded page.
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

/** Until the code of a kept thank-you for a coming service has loaded, hides the form and keeps room in the invitation. */
export function awaitThanks(name: string): void {
  const { classList } = document.body
  try {
    for (const storage of [sessionStorage, localStorage]) {
      const kept = JSON.parse(storage.getItem(name) ?? 'null')
      if (Date.parse(kept?.endsAt) <= Date.now()) storage.removeItem(name)
      else if (kept) classList.add('thanked')
    }
  } catch {
    // Storage is denied or invalid: the page stays as it is.
  }
  // Shows the form after all if that code does not load.
  setTimeout(() => classList.remove('thanked'), 3000)
}

/** Answers as the draft does, before the form is painted: its fields depend on the answer. */
export function answerAsDraft(name: string): void {
  try {
    const typed = new URLSearchParams(JSON.parse(sessionStorage.getItem(name) ?? '""'))
    document.querySelector<HTMLElement>(`[name=attending][value="${typed.get('attending')}"]`)?.click()
  } catch {
    // Storage is denied or invalid: the page stays as it is.
  }
}
