import { showRemembered } from '#site/lib/page-scripts.ts'
import { REMEMBERED, RSVP_FORM_ID, RSVP_THANKS } from '#site/lib/rsvp-form.ts'
import { endThanks, followThanks, forgetRemembered, onRemembered, refreshRemembered } from '#site/stores/remembered.ts'
import { addToast } from '#site/stores/toasts.ts'
import { t } from '#site/texts/texts.ts'

/**
 * Keeps right what the page shows of a remembered RSVP, and of one that this tab thanks for. Where it shows none, the form
 * stays: someone may be typing. A page with a form that was returned, or sent without JavaScript, has no such section.
 */
export function followRemembered(): void {
  const section = document.querySelector<HTMLElement>('.remembered')
  if (section === null) return
  followThanks()
  onRemembered(() => section.hidden || showRemembered(REMEMBERED, RSVP_THANKS))
  // Back shows the page as it was left: the RSVP may have been changed since.
  addEventListener('pageshow', ({ persisted }) => persisted && refreshRemembered())
  section.querySelector('button')?.addEventListener('click', forget)
  section.querySelector('[href^="#"]')?.addEventListener('click', beginAgain)
  refreshRemembered()
}

function forget(): void {
  forgetRemembered()
  focusTitle()
  addToast({
    title: t('Forgotten'),
    description: t('This device no longer remembers it. Your RSVP itself stays.'),
  })
}

/** For another family: the link's anchor brings the form back, and its first question gets the focus. */
export function beginAgain(): void {
  endThanks()
  setTimeout(() => document.querySelector<HTMLElement>(`#${RSVP_FORM_ID} [name=attending]`)?.focus())
}

/** For a button that has gone, where the form has come in its place, or what is remembered. */
export function focusTitle(): void {
  const title = document.querySelector<HTMLElement>('.remembered:not([hidden]) h2, #rsvp-title')
  title?.setAttribute('tabindex', '-1')
  title?.focus()
}
