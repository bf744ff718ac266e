import type { OfferedRole } from '#db/values/volunteer-role.ts'
import { t } from '#site/texts/texts.ts'

/** A role in the form for one service. `state` is shown below its name, e.g. `1 still needed`. */
export type RoleChoice = OfferedRole & { state?: string; disabled?: boolean }

/** The roles for a service, by default the next one. Returns the same array if no state changes. */
export function choicesFor(roles: RoleChoice[], date: string | undefined): RoleChoice[] {
  const choices = roles.map((role) => choiceFor(role, date))
  return choices.some(({ state }, position) => state !== roles[position]?.state) ? choices : roles
}

function choiceFor(role: RoleChoice, date = ''): RoleChoice {
  const { needed, filled = {} } = role
  if (needed === undefined) return role
  // The first entry of `filled` is the next service.
  const room = needed - (filled[date] ?? Object.values(filled)[0] ?? 0)
  const disabled = room <= 0
  const state = disabled ? t('filled') : t('{count} still needed', { count: room })
  return { ...role, disabled, state }
}
