import { RSVP_FORM_ID } from '#site/stores/rsvp-form.ts'

const hidden = `<input type="hidden" form="${RSVP_FORM_ID}"`
/** The beginning of these fields. Nothing else on a page contains it. */
export const FORM_MARK = `${hidden} name="formKey"`

/**
 * The hidden fields that identify one rendered form. They are at the end of the page, outside their form, so that
 * everything before them is the same for all visitors.
 * @param formKey a random key that tells a double click from a second RSVP, without JavaScript.
 * @param drawnAt when the page was sent, in ms since 1970; the server computes the age of the form from it.
 */
export function formMarkFields(formKey: string, drawnAt: number | undefined): string {
  const age = drawnAt === undefined ? '' : `${hidden} name="drawnAt" value="${drawnAt}">`
  return `${FORM_MARK} value="${formKey}">${age}`
}
