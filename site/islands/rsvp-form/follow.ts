import { readForm } from '#site/lib/read-form.ts'
import { choicesFor, type RoleChoice } from '#site/lib/role-choices.ts'
import { keepDraft } from './draft.ts'

/** Keeps the draft of a form that was touched. @returns the roles as they are for the service that is chosen by now. */
export function follow(form: HTMLFormElement | null, roles: RoleChoice[]): RoleChoice[] {
  if (form === null) return roles
  keepDraft(form)
  return choicesFor(roles, readForm(new FormData(form)).serviceDate)
}
