import { RSVP_FORM_ID } from '#site/lib/rsvp-form.ts'

/**
 * What tells one drawn form from all others, as hidden fields in HTML. They stand at the end of the page, outside of their
 * form: everything before them is the same for all visitors and can be kept.
 * @param formKey random for each page that is sent: without JavaScript it distinguishes a double click from a second RSVP.
 * @param drawnAt when the page was sent, in ms since 1970: without JavaScript the age of the form follows from it.
 */
export function formMarkFields(formKey: string, drawnAt: number | undefined): string {
  const fields = Object.entries({ formKey, drawnAt }).filter(([, value]) => value !== undefined)
  return fields
    .map(([name, value]) => `<input type="hidden" form="${RSVP_FORM_ID}" name="${name}" value="${value}">`)
    .join('')
}
