import type { OfferedRole } from '#db/volunteer-role/schema.ts'
import { t } from '#site/texts/texts.ts'
import type { ServiceDay } from './days.ts'

/**
 * A role in the form for one service. `state` is below its name, e.g. `1 still needed`; `filledFor` is its state without
 * JavaScript if it is filled at that service and needed at another.
 */
export type RoleChoice = OfferedRole & { state?: string; disabled?: boolean; filledFor?: string }

/** The roles for a service, by default the next. The same array if nothing changes. */
export function choicesFor(roles: RoleChoice[], date: string | undefined): RoleChoice[] {
  const choices = roles.map((role) => choiceFor(role, date))
  return choices.some(({ state }, place) => state !== roles[place]?.state) ? choices : roles
}

/**
 * The same for a form without JavaScript, which does not follow the chosen service: a role that is filled at one
 * service can be picked for another, and the server decides.
 */
export function choicesForAny(roles: RoleChoice[], days: ServiceDay[], date = days[0]?.date): RoleChoice[] {
  const day = days.find((each) => each.date === date)
  return choicesFor(roles, date).map((role) => {
    const isNeeded = days.some((each) => choiceFor(role, each.date).disabled === false)
    return day && role.disabled && isNeeded ? { ...role, filledFor: t('filled for {day}', { day: day.label }) } : role
  })
}

function choiceFor(role: RoleChoice, date = ''): RoleChoice {
  const { needed, filled = {} } = role
  if (needed === undefined) return role
  // The first one is the next service.
  const room = needed - (filled[date] ?? Object.values(filled)[0] ?? 0)
  const disabled = room <= 0
  const state = disabled ? t('filled') : t('{count} still needed', { count: room })
  return { ...role, disabled, state }
}
