/** Focuses the first invalid field, or else the button, which lost the focus while it was disabled. */
export function focusFailure(form: HTMLFormElement | null, failed: string | undefined): void {
  const invalid = form?.querySelector<HTMLElement>('[aria-invalid="true"], .field__error[tabindex]')
  const control = invalid instanceof HTMLFieldSetElement ? invalid.querySelector<HTMLElement>('input') : invalid
  if (control) control.focus()
  else if (failed && document.activeElement === document.body)
    form?.querySelector<HTMLElement>('.rsvp-form__submit')?.focus()
}
