/**
 * Shows what this device remembers, and hides what it has forgotten; what is over is forgotten.
 *
 * The page holds this function as a script, which runs before the form is drawn: the page is made once for all visitors, and
 * nothing may move once it is seen. So it can use nothing from outside itself.
 */
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
