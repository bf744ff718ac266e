import type { OfferedRole } from '#db/volunteer-role/schema.ts'
import { request } from '#site/lib/request.ts'
import { $volunteerRoles } from '#site/stores/resources.ts'
import { t } from '#site/texts/texts.ts'
import { differing, makeChangeable, type Refuse } from './changeable.ts'

export const volunteerRoles = makeChangeable($volunteerRoles)

/** `needed` is null for any number of people. */
export type TypedRole = { name: string; needed: number | null }

export function createVolunteerRole(current: OfferedRole[], typed: TypedRole, refuse: Refuse): Promise<boolean> {
  async function send(roles: OfferedRole[]) {
    const reply = await request('POST /api/volunteer-roles', { body: typed })
    return [...roles, await reply.json()]
  }
  return changeRoles(current, t('Failed to add the role'), send, refuse)
}

/** Sends only what was changed: another administrator may have changed the rest. */
export function saveVolunteerRole(
  current: OfferedRole[],
  role: OfferedRole,
  typed: TypedRole,
  refuse: Refuse,
): Promise<boolean> {
  const body = differing(typed, { ...role, needed: role.needed ?? null })
  if (Object.keys(body).length === 0) return Promise.resolve(true)
  async function send(roles: OfferedRole[]) {
    const reply = await request(`PATCH /api/volunteer-roles/${role.id}`, { body })
    const saved = await reply.json()
    return roles.map((other) => (other.id === saved.id ? saved : other))
  }
  return changeRoles(current, t('Failed to save the role'), send, refuse)
}

/** A retired role is no longer offered; the responses that chose it keep it. */
export function retireVolunteerRole(current: OfferedRole[], { id }: OfferedRole): Promise<boolean> {
  async function send(roles: OfferedRole[]) {
    // Only the status counts: the role is retired even if the reply is cut off.
    await request(`PATCH /api/volunteer-roles/${id}`, { body: { retired: true } })
    return roles.filter((role) => role.id !== id)
  }
  return changeRoles(current, t('Failed to retire the role'), send)
}

function changeRoles(
  current: OfferedRole[],
  failure: string,
  send: (roles: OfferedRole[]) => Promise<OfferedRole[]>,
  refuse?: Refuse,
): Promise<boolean> {
  const notice = { title: t('Roles Updated'), description: t('The volunteer roles have been saved.') }
  return volunteerRoles.change(current, { send, notice, failure, refuse })
}

/** Reads how many now fill each role. If that fails, the counts stay as they were, because nothing depends on them. */
export function countAgain(current: OfferedRole[]): Promise<boolean> {
  const read = async () => (await request('GET /api/volunteer-roles')).json()
  return volunteerRoles.change(current, { send: (known) => read().catch(() => known), failure: '' })
}
