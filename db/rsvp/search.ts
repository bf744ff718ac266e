import type { StoredRsvp } from './schema.ts'

/** Whether every word stands somewhere in the response, however it is capitalised or accented. */
export function matches(response: StoredRsvp, search: string): boolean {
  const text = folded(textsOf(response).join('\n'))
  return folded(search)
    .split(/\s+/)
    .every((word) => text.includes(word))
}

function textsOf({ id, name, email, phone, message, familyMembers, volunteerSignups }: StoredRsvp): string[] {
  const members = familyMembers.map((member) => member.name)
  const roles = volunteerSignups.map(({ role }) => role.name)
  return [String(id), name, email, phone ?? '', message ?? '', ...members, ...roles]
}

/** As people type when they search: `jose` finds José. */
function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}
