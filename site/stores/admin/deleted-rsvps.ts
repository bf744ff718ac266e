import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { ResponseError, request } from '#site/lib/request.ts'
import { tellFailedAct } from '../failed-act.ts'
import { createQuery } from '../query.ts'
import { carryToast, reloadWithToast } from './carried-toast.ts'
import { idsThatWorked } from './in-parallel.ts'

/** What was deleted and can be restored. */
export const $deletedRsvps = createQuery<StoredRsvp[]>('/api/rsvps?deleted=true', 'Failed to load deleted responses')

/** Brings deleted responses back, then reloads the page. */
export async function restoreRsvps(ids: number[]): Promise<void> {
  let failure: unknown
  const restored = await idsThatWorked(ids, async (id) => {
    try {
      await request(`/api/rsvps/${id}/restore`, { method: 'POST' })
      return true
    } catch (error) {
      failure = error
      return false
    }
  })
  const failed = ids.length - restored.length
  if (restored.length === 0) {
    tellFailedAct('Failed to restore RSVPs', failure)
    if (failure instanceof ResponseError && failure.status === 401) carryUndo(ids)
  } else if (failed === 0) reloadWithToast({ title: 'RSVPs Restored', description: 'Everything is back in the list.' })
  else {
    const description = `Failed to restore RSVPs. ${restored.length} back in the list, ${failed} not.`
    const back = new Set(restored)
    const deleted = ids.filter((id) => !back.has(id))
    reloadWithToast({ title: 'Error', description, variant: 'destructive', deleted, label: 'Try Again' })
  }
}

/** Whoever signs in again is offered the same once more. */
function carryUndo(deleted: number[]): void {
  const description = 'What was deleted can still be brought back.'
  carryToast({ title: 'Not Restored Yet', description, variant: 'destructive', deleted })
}
