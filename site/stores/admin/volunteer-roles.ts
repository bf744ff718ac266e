import type { OfferedRole } from '#db/volunteer-role/schema.ts'
import { request } from '#site/lib/request.ts'
import { t } from '#site/texts/texts.ts'
import type { Refuse, Telling } from './attempt.ts'
import { changeableAt, differing } from './changeable.ts'

export const volunteerRoles = changeableAt('/api/volunteer-roles')

/** `needed` is null for any number of people. */
export type TypedRole = { name: string; needed: number | null }

export function createVolunteerRole(body: TypedRole, refuse: Refuse): Promise<boolean> {
  return changeRoles(() => request('POST /api/volunteer-roles', { body }), {
    failure: t('Failed to add the role'),
    refuse,
  })
}

/** Sends only what was changed: another administrator may have changed the rest. */
export async function saveVolunteerRole(role: OfferedRole, typed: TypedRole, refuse: Refuse): Promise<boolean> {
  const body = differing(typed, { ...role, needed: role.needed ?? null })
  if (Object.keys(body).length === 0) return true
  return changeRoles(() => request(`PATCH /api/volunteer-roles/${role.id}`, { body }), {
    failure: t('Failed to save the role'),
    refuse,
  })
}

/** A retired role is no longer offered; the responses that chose it keep it. */
export function retireVolunteerRole({ id }: OfferedRole): Promise<boolean> {
  return changeRoles(() => request(`PATCH /api/volunteer-roles/${id}`, { body: { retired: true } }), {
    failure: t('Failed to retire the role'),
  })
}

function changeRoles(act: () => Promise<unknown>, telling: Telling): Promise<boolean> {
  const notice = { title: t('Roles Updated'), description: t('The volunteer roles have been saved.') }
  return volunteerRoles.change(act, { ...telling, notice })
}
