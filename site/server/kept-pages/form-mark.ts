import { RSVP_FORM_ID } from '#site/stores/rsvp-form.ts'

const hidden = `<input type="hidden" form="${RSVP_FORM_ID}"`
/** Every mark begins with it; nothing else on a page contains it. */
export const FORM_MARK = `${hidden} name="formKey"`

/**
 * Hidden fields that identify one rendered form. They are at the end of the page, outside their form, so that
 * everything before them is the same for all visitors and can be kept.
 * @param formKey random for each page: without JavaScript it distinguishes a double click from a second RSVP.
 * @param drawnAt when the page was sent, in ms since 1970: without JavaScript it gives the age of the form.
 */
export function formMarkFields(formKey: string, drawnAt: number | undefined): string {
  const age = drawnAt === undefined ? '' : `${hidden} name="drawnAt" value="${drawnAt}">`
  return `${FORM_MARK} value="${formKey}">${age}`
}
