/**
 * Shows the button that opens the share sheet of a phone, where there is one.
 *
 * The page holds this function as a script, which runs before what follows is drawn: nothing may move once it is seen. So it
 * can use nothing from outside itself.
 */
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
