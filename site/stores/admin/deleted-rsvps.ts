import { ResponseError, request } from '#site/lib/request.ts'
import { createResource } from '#site/stores/resource.ts'
import { addToast } from '#site/stores/toasts.ts'
import { comma } from '#site/texts/dates.ts'
import { plural } from '#site/texts/plural.ts'
import { t } from '#site/texts/texts.ts'
import { carryToast, reloadWithToast } from './carried-toast.ts'
import { tellFailedAct } from './failed-act.ts'
import { idsThatWorked } from './in-parallel.ts'

/** What Undo brings back: these responses, or what was deleted at a moment. */
type Undo = { deleted: number[] } | { deletedAt: string }

/** What was deleted and can be restored. */
export const $deletedRsvps = createResource('/api/rsvps/deleted', (error) =>
  tellFailedAct(t('Failed to load deleted responses'), error),
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
  if (failed.length === ids.length) tellNoneCameBack({ deleted: ids }, failure, () => restoreRsvps(ids))
  else tellHowManyCameBack(restored.length, ids.length - restored.length - failed.length, failed)
}

/** Brings back what was deleted at one moment, however much it is, then reloads the page. */
export async function restoreDeletion(deletedAt: string): Promise<void> {
  try {
    const { changed, left } = await (await request('POST /api/rsvps/restore', { body: { deletedAt } })).json()
    if (left > 0) {
      const description = t('Failed to restore RSVPs. {back}, {left} not.', { back: backText(changed), left })
      reloadWithToast({ title: t('Error'), description, variant: 'destructive', deletedAt, label: t('Try Again') })
    } else reloadWithToast({ title: t('RSVPs Restored'), description: `${backText(changed)}.` })
  } catch (error) {
    tellNoneCameBack({ deletedAt }, error, () => restoreDeletion(deletedAt))
  }
}

/** The page stays as it is: all of them are still deleted. */
function tellNoneCameBack(undo: Undo, failure: unknown, retry: () => Promise<void>): void {
  const description = t('Failed to restore RSVPs')
  if (failure instanceof ResponseError && failure.status === 401) {
    tellFailedAct(description, failure)
    carryUndo(undo)
    return
  }
  const action = { label: t('Try Again'), altText: t('Bring them back'), onPress: retry }
  addToast({ title: t('Error'), description, variant: 'destructive', action })
}

/** What another administrator has restored or erased meanwhile cannot be restored here: it is not tried again. */
function tellHowManyCameBack(restored: number, gone: number, failed: number[]): void {
  const already = plural(gone, '{count} was restored or erased already', '{count} were restored or erased already')
  if (failed.length > 0) {
    const parts = [
      t('{count} back in the list', { count: restored }),
      ...(gone > 0 ? [already] : []),
      t('{count} not', { count: failed.length }),
    ]
    const description = t('Failed to restore RSVPs. {parts}.', {
      parts: parts.join(comma()),
    })
    reloadWithToast({ title: t('Error'), description, variant: 'destructive', deleted: failed, label: t('Try Again') })
  } else if (restored === 0) reloadWithToast({ title: t('Nothing Restored'), description: `${already}.` })
  else {
    const back = backText(restored)
    reloadWithToast({
      title: t('RSVPs Restored'),
      description: gone > 0 ? `${back}${comma()}${already}.` : `${back}.`,
    })
  }
}

function backText(count: number): string {
  return plural(count, '{count} response is back in the list', '{count} responses are back in the list')
}

/** After signing in again the administrator is offered the same undo. */
function carryUndo(undo: Undo): void {
  const description = t('What was deleted can still be brought back.')
  carryToast({ title: t('Not Restored Yet'), description, variant: 'destructive', ...undo })
}
