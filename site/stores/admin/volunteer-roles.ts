import type { OfferedRole } from '#db/volunteer-role/schema.ts'
import { request } from '#site/lib/request.ts'
import { $volunteerRoles } from '#site/stores/resources.ts'
import { t } from '#site/texts/texts.ts'
import type { Notice } from '../toasts.ts'
import { makeChangeable } from './changeable.ts'

/** The roles that are offered, to be changed on this page: each as soon as the server has it. */
export const volunteerRoles = makeChangeable($volunteerRoles)

const rolesUpdated = (): Notice => ({
  title: t('Roles Updated'),
  description: t('The volunteer roles have been saved.'),
})

/** What is typed of a role. */
type Typed = { name: string; needed: number | null }

export function createVolunteerRole(current: OfferedRole[], typed: Typed): Promise<boolean> {
  return volunteerRoles.change(current, {
    send: async (roles) => {
      const reply = await request('POST /api/volunteer-roles', { body: typed })
      return [...roles, await reply.json()]
    },
    notice: rolesUpdated(),
    failure: t('Failed to add the role'),
  })
}

/** Sends only what was changed: another administrator may have changed the rest. */
export function saveVolunteerRole(current: OfferedRole[], role: OfferedRole, typed: Typed): Promise<boolean> {
  const name = typed.name === role.name ? undefined : typed.name
  const needed = typed.needed === (role.needed ?? null) ? undefined : typed.needed
  return volunteerRoles.change(current, {
    send: async (roles) => {
      const saved = await changeRole(role.id, { name, needed })
      return roles.map((other) => (other.id === saved.id ? saved : other))
    },
    notice: rolesUpdated(),
    failure: t('Failed to save the role'),
  })
}

/** A retired role is no longer offered; the responses that chose it keep it. The notice offers it again. */
export function retireVolunteerRole(current: OfferedRole[], retired: OfferedRole): Promise<boolean> {
  const undo = {
    label: t('Undo'),
    altText: t('Offer {name} again', { name: retired.name }),
    onPress: () => offerAgain(current, retired),
  }
  return volunteerRoles.change(current, {
    send: async (roles) => {
      // Its status alone counts: a reply that is cut off does not undo what is stored.
      await request(`PATCH /api/volunteer-roles/${retired.id}`, { body: { retired: true } })
      return roles.filter((role) => role.id !== retired.id)
    },
    notice: { ...rolesUpdated(), action: undo },
    failure: t('Failed to retire the role'),
  })
}

function offerAgain(current: OfferedRole[], offered: OfferedRole): Promise<boolean> {
  return volunteerRoles.change(current, {
    send: async (roles) => {
      const stored = await changeRole(offered.id, { retired: false })
      return [...roles.filter(({ id }) => id !== stored.id), stored].sort((a, b) => a.id - b.id)
    },
    notice: rolesUpdated(),
    failure: t('Failed to offer the role again'),
  })
}

/** The roles with how many people fill them by now; undefined where that cannot be read, which nothing depends on. */
export async function listCountedRoles(): Promise<OfferedRole[] | undefined> {
  try {
    return await (await request('GET /api/volunteer-roles')).json()
  } catch {
    return undefined
  }
}

async function changeRole(
  id: number,
  body: { name?: string | undefined; needed?: number | null | undefined; retired?: boolean },
): Promise<OfferedRole> {
  return (await request(`PATCH /api/volunteer-roles/${id}`, { body })).json()
}
