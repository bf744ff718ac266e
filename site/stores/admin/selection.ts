import { ResponseError, request } from '#site/lib/request.ts'
import type { ResponsesView } from '#site/lib/responses-view.ts'
import { addToast } from '#site/stores/toasts.ts'
import { said } from '#site/texts/said.ts'
import { t } from '#site/texts/texts.ts'
import { reloadWithToast } from './carried-toast.ts'
import { tellFailedAct } from './failed-act.ts'
import { wentText } from './stored-rsvps.ts'

/** Everything that a view shows on all its pages, as it was shown. */
type Shown = ResponsesView & { newest: number; count: number; fingerprint: number; except: number[] }

/** Deletes all of it in one call, however much it is, and reloads the page. */
export async function deleteSelection({ sort: _, ...selected }: Shown): Promise<void> {
  try {
    const reply = await request('POST /api/rsvps/delete', { body: selected })
    const { changed, left, deletedAt } = await reply.json()
    const gone = selected.count - changed - left
    const went = wentText(changed, gone)
    if (left > 0)
      reloadWithToast({
        title: t('Error'),
        description: t('Failed to delete RSVPs. {went}, {left} not.', { went, left }),
        variant: 'destructive',
        deletedAt,
      })
    else reloadWithToast({ title: t('RSVPs Deleted'), description: `${went}.`, deletedAt })
  } catch (error) {
    console.error('Failed to delete RSVPs', error)
    tellNothingWent(selected.count, error)
  }
}

/** What was not shown is not deleted: the page shows what there is by now. Without a reply nothing is known. */
function tellNothingWent(count: number, error: unknown): void {
  const action = { label: t('Reload'), altText: t('Show what is there by now'), onPress: () => location.reload() }
  if (!(error instanceof ResponseError)) {
    const description = t('Failed to delete RSVPs. Reload the page to see what is left.')
    addToast({ title: t('Error'), description, variant: 'destructive', action })
  } else if (error.status === 412) {
    const description = error.detail ? said(error.detail) : t('Other responses match by now. Look at them again.')
    addToast({ title: t('Nothing Deleted'), description, variant: 'destructive', action })
  } else tellFailedAct(t('Failed to delete RSVPs. {went}, {left} not.', { went: wentText(0, 0), left: count }), error)
}
