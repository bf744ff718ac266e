import { ResponseError, request } from '#site/lib/request.ts'
import { addToast } from '#site/stores/toasts.ts'
import { plural } from '#site/texts/plural.ts'
import { t } from '#site/texts/texts.ts'
import { reloadWithToast } from './carried-toast.ts'
import { tellFailedAct } from './failed-act.ts'
import { idsThatWorked } from './in-parallel.ts'

/** Deletes one response, then reloads the page. */
export async function deleteRsvp(id: number): Promise<void> {
  try {
    await request(`DELETE /api/rsvps/${id}`)
    reloadWithToast({ title: t('RSVP Deleted'), description: t('The response has been deleted.'), deleted: [id] })
  } catch (error) {
    tellFailedAct(t('Failed to delete RSVP'), error)
  }
}

/** Deletes the ticked responses, one call a row, and says how many went and how many did not. */
export async function deleteRsvps(ids: number[]): Promise<void> {
  let failure: unknown
  let gone = 0
  const deleted = await idsThatWorked(ids, async (id) => {
    try {
      await request(`DELETE /api/rsvps/${id}`)
      return true
    } catch (error) {
      if (error instanceof ResponseError && error.status === 404) {
        gone += 1
        return false
      }
      console.error('Failed to delete RSVPs', error)
      failure = error
      return false
    }
  })
  tellHowManyWent(deleted, gone, ids.length - deleted.length - gone, failure)
}

/** Nothing was ticked. */
export function refuseEmptySelection(): void {
  addToast({ title: t('No Selection'), description: t('Please select RSVPs to delete.'), variant: 'destructive' })
}

/** Saves the CSV of what the table is filtered by, under the name that the server gives it. */
export async function downloadCsv(query: string): Promise<void> {
  try {
    const response = await request(query === '' ? 'GET /api/rsvps/download' : `GET /api/rsvps/download?${query}`)
    const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'rsvps.csv'
    saveFile(await response.blob(), name)
  } catch (error) {
    tellFailedAct(t('Failed to download CSV'), error)
  }
}

/** What another administrator has deleted meanwhile is gone as well, but not deleted here: undo does not restore it. */
function tellHowManyWent(deleted: number[], gone: number, failed: number, failure: unknown): void {
  const went = wentText(deleted.length, gone)
  if (failed === 0) {
    const title = deleted.length === 0 ? t('Nothing Deleted') : t('RSVPs Deleted')
    reloadWithToast({ title, description: `${went}.`, deleted })
    return
  }
  const description = t('Failed to delete RSVPs. {went}, {left} not.', { went, left: failed })
  if (deleted.length + gone === 0) tellFailedAct(description, failure)
  else reloadWithToast({ title: t('Error'), description, variant: 'destructive', deleted })
}

/** E.g. `3 responses were deleted, 1 was gone already`. */
export function wentText(deleted: number, gone: number): string {
  const went = plural(deleted, '{count} response was deleted', '{count} responses were deleted')
  return gone === 0 ? went : `${went}, ${plural(gone, '{count} was gone already', '{count} were gone already')}`
}

function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 0)
}
