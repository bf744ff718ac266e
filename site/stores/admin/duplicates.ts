import { ResponseError, request } from '#site/lib/request.ts'
import { addToast } from '#site/stores/toasts.ts'
import { plural } from '#site/texts/plural.ts'
import { t } from '#site/texts/texts.ts'
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
  else tellFailedAct(t('Failed to merge RSVPs'), failure)
}

function tellHowManyWent(merged: number[], people: number, left: number): void {
  const went =
    people === 1
      ? plural(
          merged.length,
          '{count} response was merged into the newest.',
          '{count} responses were merged into the newest.',
        )
      : t('{count} responses were merged into the newest of each.', { count: merged.length })
  const rest = plural(
    left,
    '{count} could not be merged: look at what is left.',
    '{count} could not be merged: look at what is left.',
  )
  const description = left === 0 ? went : `${went} ${rest}`
  // Whoever merges one person after the other stays where they are, not in the table far below.
  reloadWithToast({ title: t('Responses Merged'), description, deleted: merged, next: '.duplicates__person button' })
}

/** Another administrator was first, or a sender has changed one: what is shown is not what there is. */
function tellNothingWent(): void {
  addToast({
    title: t('Nothing Merged'),
    description: t('These responses were merged or changed meanwhile. Reload the page to see what there is now.'),
    variant: 'destructive',
    action: { label: t('Reload'), altText: t('Show what is there by now'), onPress: () => location.reload() },
  })
}
