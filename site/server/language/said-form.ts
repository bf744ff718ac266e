import type { ReturnedForm } from '#site/lib/rsvp-form.ts'
import { said } from '#site/texts/said.ts'

/** A form that comes back, with what is to be corrected in the language of the page. */
export function saidForm<Form extends ReturnedForm>(form: Form): Form {
  const errors = form.errors.map((error) => ({ ...error, message: said(error.message) }))
  return { ...form, errors, ...(form.notice !== undefined && { notice: said(form.notice) }) }
}
