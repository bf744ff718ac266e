import { atom } from 'nanostores'
import type { VolunteerRole } from '#db/volunteer-role/schema.ts'
import { ResponseError, request } from '#site/lib/request.ts'
import { tellFailedAct } from '#site/stores/failed-act.ts'
import { addToast, type Notice } from '#site/stores/toasts.ts'

/** The roles as they were last changed on this page; undefined until one is. */
export const $volunteerRoles = atom<VolunteerRole[] | undefined>(undefined)

export async function createVolunteerRole(current: VolunteerRole[], name: string): Promise<boolean> {
  return save('Failed to add the role', async () => {
    const response = await request('/api/volunteer-roles', { method: 'POST', body: { name } })
    const made: VolunteerRole = await response.json()
    setRoles(current, (roles) => [...roles, made])
  })
}

export async function renameVolunteerRole(current: VolunteerRole[], id: number, name: string): Promise<boolean> {
  return save('Failed to rename the role', async () => {
    const response = await request(`/api/volunteer-roles/${id}`, { method: 'PATCH', body: { name } })
    const renamed: VolunteerRole = await response.json()
    setRoles(current, (roles) => roles.map((role) => (role.id === id ? renamed : role)))
  })
}

/** A retired role is no longer offered; the responses that chose it keep it. The notice offers it again. */
export async function retireVolunteerRole(current: VolunteerRole[], retired: VolunteerRole): Promise<boolean> {
  const undo = { label: 'Undo', altText: `Offer ${retired.name} again`, onPress: () => offerAgain(current, retired) }
  return save(
    'Failed to retire the role',
    async () => {
      await request(`/api/volunteer-roles/${retired.id}`, { method: 'PATCH', body: { retired: true } })
      setRoles(current, (roles) => roles.filter((role) => role.id !== retired.id))
    },
    { action: undo },
  )
}

async function offerAgain(current: VolunteerRole[], role: VolunteerRole): Promise<boolean> {
  return save('Failed to offer the role again', async () => {
    await request(`/api/volunteer-roles/${role.id}`, { method: 'PATCH', body: { retired: false } })
    setRoles(current, (roles) => [...roles.filter(({ id }) => id !== role.id), role].sort((a, b) => a.id - b.id))
  })
}

/** From the roles as they are now, not as they were when the call began: another may have been changed meanwhile. */
function setRoles(current: VolunteerRole[], change: (roles: VolunteerRole[]) => VolunteerRole[]): void {
  $volunteerRoles.set(change($volunteerRoles.get() ?? current))
}

async function save(failure: string, change: () => Promise<void>, notice: Notice = {}): Promise<boolean> {
  try {
    await change()
    addToast({ title: 'Roles Updated', description: 'The volunteer roles have been saved.', ...notice })
    return true
  } catch (error) {
    const [explained] = error instanceof ResponseError ? error.fields : []
    tellFailedAct(explained?.message ?? failure, error)
    return false
  }
}
