import { RSVP_FORM_ID } from '#site/lib/rsvp-form.ts'

/** What tells one drawn form from all others. */
export type FormMark = {
  /** Random for each page that is sent: without JavaScript it distinguishes a double click from a second RSVP. */
  formKey: string
  /** When the page was sent, in ms since 1970: without JavaScript the age of the form follows from it. */
  drawnAt: number | undefined
}

/**
 * The form mark as hidden fields, in HTML. They stand at the end of the page, outside of their form: everything before
 * them is the same for all visitors and can be kept.
 */
export function formMarkFields({ formKey, drawnAt }: FormMark): string {
  return hiddenField('formKey', formKey) + (drawnAt === undefined ? '' : hiddenField('drawnAt', String(drawnAt)))
}

function hiddenField(name: string, value: string): string {
  return `<input type="hidden" form="${RSVP_FORM_ID}" name="${name}" value="${value}">`
}
