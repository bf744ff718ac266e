import type { OfferedRole } from '#db/volunteer-role/schema.ts'
import { roleName } from '#site/texts/role-name.ts'
import { t } from '#site/texts/texts.ts'
import type { ServiceDay } from './service-days.ts'

/**
 * A role as the form shows it for one service. `label` is missing where that is the name alone; `filledFor` is its label
 * without JavaScript, where it is filled for that service and needed at another.
 */
export type RoleChoice = OfferedRole & { label?: string; disabled?: boolean; filledFor?: string }

/**
 * The roles as the form shows them for a service, e.g. `Greeter · 1 still needed`; without a date that is the next one.
 * The very same array where nothing changes.
 */
export function choicesFor(roles: RoleChoice[], date: string | undefined): RoleChoice[] {
  const choices = roles.map((role) => choiceFor(role, date))
  return choices.some(({ label }, place) => label !== roles[place]?.label) ? choices : roles
}

/**
 * The same for a form without JavaScript, which does not follow the service that is chosen: a role that is filled for one
 * service can be picked for another, and the server decides.
 */
export function choicesForAny(roles: RoleChoice[], days: ServiceDay[], date = days[0]?.date): RoleChoice[] {
  const day = days.find((each) => each.date === date)
  return choicesFor(roles, date).map((role) => {
    const isNeeded = days.some((each) => choiceFor(role, each.date).disabled === false)
    return day && role.disabled && isNeeded
      ? { ...role, filledFor: t('{role} · filled for {day}', { role: roleName(role.name), day: day.label }) }
      : role
  })
}

function choiceFor(role: RoleChoice, date = ''): RoleChoice {
  const { name, needed, filled = {} } = role
  if (needed === undefined) return role
  // The next service is the first of them.
  const room = needed - (filled[date] ?? Object.values(filled)[0] ?? 0)
  const disabled = room <= 0
  const label = disabled
    ? t('{role} · filled', { role: roleName(name) })
    : t('{role} · {count} still needed', { role: roleName(name), count: room })
  return { ...role, disabled, label }
}
