// What a page holds as a script. These functions run before what follows them is drawn or has loaded: nothing may move once
// it is seen. So each can use nothing from outside itself.

/** JSON that can stand in a script element: nothing in it ends the element or begins a comment. */
export function jsonInHtml(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}

/** Shows the button that opens the share sheet of a phone, where there is one. */
export function offerSharing(): void {
  const button = document.querySelector<HTMLElement>('.share__sheet')
  if (button === null || navigator.share === undefined) return
  button.hidden = false
  button.addEventListener('click', () => {
    const { text, url } = button.dataset
    if (url === undefined) return
    // Whoever closes the sheet without sharing has decided; so has a browser that does not allow it.
    navigator.share({ title: document.title, text: text ?? '', url }).catch(() => {})
  })
}

/** Repeats the last press of a button whose island could not follow it yet, once it can. */
export function repeatEarlyClick(): void {
  let pressed: HTMLElement | null = null
  const repeat = () => pressed?.click()
  addEventListener('click', ({ target }) => {
    pressed = target instanceof Element ? target.closest<HTMLElement>('button[type="button"]') : null
    pressed?.closest('astro-island[ssr]')?.addEventListener('astro:hydrate', repeat, { once: true })
  })
}

/** Shows what this device remembers, and hides what it has forgotten; what is over is forgotten. The page is the same for all. */
export function showRemembered(name: string, thanks: string): void {
  const section = document.querySelector<HTMLElement>('.remembered')
  if (section === null) return
  section.hidden = true
  const { classList } = section
  classList.remove('remembered--thanked')
  try {
    if (sessionStorage.getItem(thanks)) {
      // The thank-you of this tab comes in place of the form. If its code cannot be loaded, the form is shown all the same.
      classList.add('remembered--thanked')
      setTimeout(() => classList.remove('remembered--thanked'), 3000)
      return
    }
    const { key, line, act, endsAt } = JSON.parse(localStorage.getItem(name) ?? '{}')
    if (Date.parse(endsAt) <= Date.now()) localStorage.removeItem(name)
    else if (/^[\w-]{22}$/.test(key)) {
      for (const text of section.querySelectorAll('span')) text.textContent = line
      for (const change of section.querySelectorAll('a[href^="/answer"]'))
        Object.assign(change, { href: `/answer?key=${key}`, textContent: act ?? change.textContent })
      section.hidden = false
    }
  } catch {
    // Storage is denied, or holds something else: the page is as for all others.
  }
}
