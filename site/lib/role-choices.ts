import type { OfferedRole } from '#db/volunteer-role/schema.ts'

/** A role as the form shows it for one service. `label` is missing where that is the name alone. */
export type RoleChoice = OfferedRole & { label?: string; disabled?: boolean }

/**
 * The roles as the form shows them for a service, e.g. `Greeter · 1 still needed`; without a date that is the next one.
 * The very same array where nothing changes.
 */
export function choicesFor(roles: RoleChoice[], date: string | undefined): RoleChoice[] {
  const choices = roles.map((role) => choiceFor(role, date))
  return choices.some(({ label }, place) => label !== roles[place]?.label) ? choices : roles
}

function choiceFor(role: RoleChoice, date = ''): RoleChoice {
  const { name, needed, filled = {} } = role
  if (needed === undefined) return role
  // The next service is the first of them.
  const room = needed - (filled[date] ?? Object.values(filled)[0] ?? 0)
  const disabled = room <= 0
  return { ...role, disabled, label: `${name} · ${disabled ? 'filled' : `${room} still needed`}` }
}
