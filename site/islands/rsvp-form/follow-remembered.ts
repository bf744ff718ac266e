import { forgetRemembered, onRemembered, REMEMBERED } from '#site/lib/remembered.ts'
import { showRemembered } from '#site/lib/show-remembered.ts'
import { refreshRemembered } from '#site/stores/remembered.ts'
import { addToast } from '#site/stores/toasts.ts'

/** Keeps right what the page shows of a remembered RSVP. Where it shows none, the form stays: someone may be typing. */
export function followRemembered(): void {
  const section = document.querySelector<HTMLElement>('.remembered:not([hidden])')
  if (section === null) return
  onRemembered(() => section.hidden || showRemembered(REMEMBERED))
  // Back shows the page as it was left: the RSVP may have been changed since.
  addEventListener('pageshow', ({ persisted }) => persisted && refreshRemembered())
  section.querySelector('button')?.addEventListener('click', forget)
  refreshRemembered()
}

function forget(): void {
  forgetRemembered()
  // The button has gone, and the form has come in its place.
  const title = document.getElementById('rsvp-title')
  title?.setAttribute('tabindex', '-1')
  title?.focus()
  addToast({ title: 'Forgotten', description: 'This device no longer remembers it. Your RSVP itself stays.' })
}
