import type { AdminReplyOf } from '#site/call-types.ts'
import { ResponseError, request } from '#site/lib/request.ts'
import { tellFailedAct } from '#site/stores/failed-act.ts'
import { createResource } from '#site/stores/resource.ts'
import { addToast } from '#site/stores/toasts.ts'
import { carryToast, reloadWithToast } from './carried-toast.ts'
import { idsThatWorked } from './in-parallel.ts'

/** What was deleted and can be restored. */
export const $deletedRsvps = createResource<'/api/rsvps?deleted=true', AdminReplyOf<'GET /api/rsvps'>>(
  '/api/rsvps?deleted=true',
  'Failed to load deleted responses',
)

/** Brings deleted responses back, then reloads the page. */
export async function restoreRsvps(ids: number[]): Promise<void> {
  let failure: unknown
  const failed: number[] = []
  const restored = await idsThatWorked(ids, async (id) => {
    try {
      await request(`POST /api/rsvps/${id}/restore`)
      return true
    } catch (error) {
      if (error instanceof ResponseError && error.status === 404) return false
      failure = error
      failed.push(id)
      return false
    }
  })
  if (failed.length === ids.length) tellNoneCameBack(ids, failure)
  else tellHowManyCameBack(restored.length, ids.length - restored.length - failed.length, failed)
}

/** The page stays as it is: all of them are still deleted. */
function tellNoneCameBack(ids: number[], failure: unknown): void {
  const description = 'Failed to restore RSVPs'
  if (failure instanceof ResponseError && failure.status === 401) {
    tellFailedAct(description, failure)
    carryUndo(ids)
    return
  }
  const action = { label: 'Try Again', altText: 'Bring them back', onPress: () => restoreRsvps(ids) }
  addToast({ title: 'Error', description, variant: 'destructive', action })
}

/** What another administrator has restored or erased meanwhile cannot be restored here: it is not tried again. */
function tellHowManyCameBack(restored: number, gone: number, failed: number[]): void {
  const already = `${gone} ${gone === 1 ? 'was' : 'were'} restored or erased already`
  if (failed.length > 0) {
    const parts = [`${restored} back in the list`, ...(gone > 0 ? [already] : []), `${failed.length} not`]
    const description = `Failed to restore RSVPs. ${parts.join(', ')}.`
    reloadWithToast({ title: 'Error', description, variant: 'destructive', deleted: failed, label: 'Try Again' })
  } else if (restored === 0) reloadWithToast({ title: 'Nothing Restored', description: `${already}.` })
  else {
    const back = `${restored} ${restored === 1 ? 'response is' : 'responses are'} back in the list`
    reloadWithToast({ title: 'RSVPs Restored', description: gone > 0 ? `${back}, ${already}.` : `${back}.` })
  }
}

/** After signing in again the administrator is offered the same undo. */
function carryUndo(deleted: number[]): void {
  const description = 'What was deleted can still be brought back.'
  carryToast({ title: 'Not Restored Yet', description, variant: 'destructive', deleted })
}
