import { ResponseError, request } from '#site/lib/request.ts'
import { addToast } from '#site/stores/toasts.ts'
import { reloadWithToast } from './carried-toast.ts'
import { tellFailedAct } from './failed-act.ts'
import { idsThatWorked } from './in-parallel.ts'

/** Merges the duplicates of each of these responses into it, then reloads the page, with an offer to take it back. */
export async function mergeDuplicates(ids: number[]): Promise<void> {
  let failure: unknown
  let overtaken = 0
  const merged: number[] = []
  const done = await idsThatWorked(ids, async (id) => {
    try {
      merged.push(...(await (await request(`POST /api/rsvps/${id}/merge`)).json()).merged)
      return true
    } catch (error) {
      if (error instanceof ResponseError && (error.status === 404 || error.status === 412)) overtaken += 1
      else failure = error
      return false
    }
  })
  if (done.length > 0) tellHowManyWent(merged, done.length, ids.length - done.length)
  else if (overtaken === ids.length) tellNothingWent()
  else tellFailedAct('Failed to merge RSVPs', failure)
}

function tellHowManyWent(merged: number[], people: number, left: number): void {
  const went = `${merged.length} ${merged.length === 1 ? 'response was' : 'responses were'} merged into the newest`
  const description = `${went}${people === 1 ? '' : ' of each'}.${left === 0 ? '' : ` ${left} could not be merged: look at what is left.`}`
  // Whoever merges one person after the other stays where they are, not in the table far below.
  reloadWithToast({ title: 'Responses Merged', description, deleted: merged, next: '.duplicates__person button' })
}

/** Another administrator was first, or a sender has changed one: what is shown is not what there is. */
function tellNothingWent(): void {
  addToast({
    title: 'Nothing Merged',
    description: 'These responses were merged or changed meanwhile. Reload the page to see what there is now.',
    variant: 'destructive',
    action: { label: 'Reload', altText: 'Show what is there by now', onPress: () => location.reload() },
  })
}
