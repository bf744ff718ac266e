import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { ResponseError, request } from '#site/lib/request.ts'
import { createQuery } from './query.ts'
import { addErrorToast, addToast, reloadWithToast } from './toasts.ts'

/** Requests under way at once while many are deleted: one call a row, but not one round trip after the other. */
const DELETES_AT_ONCE = 4

/** Every response with every field, as an administrator reads it. */
export const $storedRsvps = createQuery<StoredRsvp[]>('/api/rsvps', 'Failed to load responses')

/** Deletes one response, then reloads the page. */
export async function deleteRsvp(id: number): Promise<void> {
  try {
    await request(`/api/rsvps/${id}`, { method: 'DELETE' })
    reloadWithToast({ title: 'RSVP Deleted', description: 'The response has been deleted.' })
  } catch {
    addErrorToast('Failed to delete RSVP')
  }
}

/** Deletes the ticked responses, one call a row, and says how many went and how many did not. */
export async function deleteRsvps(ids: number[]): Promise<void> {
  const left = [...ids]
  let failed = 0
  async function work(): Promise<void> {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      if (!(await wentAway(id))) failed += 1
    }
  }
  await Promise.all(Array.from({ length: DELETES_AT_ONCE }, work))
  tellHowManyWent(ids.length - failed, failed)
}

/** Nothing was ticked. */
export function refuseEmptySelection(): void {
  addToast({ title: 'No Selection', description: 'Please select RSVPs to delete.', variant: 'destructive' })
}

/** Saves the CSV under the name the server gives it. */
export async function downloadCsv(): Promise<void> {
  try {
    const response = await request('/api/rsvps/download')
    const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'rsvps.csv'
    saveFile(await response.blob(), name)
  } catch {
    addErrorToast('Failed to download CSV')
  }
}

/** A row that somebody else has deleted meanwhile is gone as well. */
async function wentAway(id: number): Promise<boolean> {
  try {
    await request(`/api/rsvps/${id}`, { method: 'DELETE' })
    return true
  } catch (error) {
    if (error instanceof ResponseError && error.status === 404) return true
    console.error('Failed to delete RSVPs', error)
    return false
  }
}

function tellHowManyWent(deleted: number, failed: number): void {
  if (failed === 0) {
    reloadWithToast({ title: 'RSVPs Deleted', description: `${countOf(deleted)} deleted.` })
    return
  }
  const description = `Failed to delete RSVPs. ${countOf(deleted)} deleted, ${failed} not.`
  if (deleted === 0) addErrorToast(description)
  else reloadWithToast({ title: 'Error', description, variant: 'destructive' })
}

function countOf(responses: number): string {
  return responses === 1 ? '1 response was' : `${responses} responses were`
}

function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 0)
}
