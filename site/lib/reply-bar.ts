/** Shows the bar with the two choices while the form's own are out of sight; CSS hides it once one of them is chosen. */
export function followChoices(): void {
  const bar = document.querySelector<HTMLElement>('.reply-bar')
  const choices = document.querySelector('.choices--large')
  if (!bar || !choices) return
  // No height: neither is shown where the form is folded away.
  new IntersectionObserver(([seen]) => {
    bar.hidden = !seen || seen.isIntersecting || seen.boundingClientRect.height === 0
  }).observe(choices)
  bar.onclick = ({ target }) => {
    const value = (target as Element).closest('button')?.value
    const radio = choices.querySelector<HTMLElement>(`[value="${value}"]`)
    radio?.click()
    radio?.focus()
  }
}
