import pLimit from 'p-limit'
import type { StoredRsvp } from '#db/values/rsvp.ts'
import type { StandingHousehold } from '#db/values/standing.ts'
import { revisionOf, sentAs } from '#db/values/stored-rsvp.ts'
import type { ResponsesView } from '#site/lib/admin-page.ts'
import { type AfterReload, reloadWith, takeAfterReload } from '#site/lib/after-reload.ts'
import { ResponseError, request } from '#site/lib/request.ts'
import { createResource } from '#site/stores/resources.ts'
import { addToast, type Notice } from '#site/stores/toasts.ts'
import { plural, t } from '#site/texts/texts.ts'
import { attempt, download, type Refuse, showFailure } from './attempt.ts'

/** Concurrent requests when each row needs its own. */
const AT_ONCE = 4

export const $deletedRsvps = createResource('/api/rsvps/deleted', (error) =>
  showFailure(t('Failed to load deleted responses'), error),
)

/** What Undo takes back, in the notice after a reload. */
type Undo = { ids: number[]; merged?: MergedFrom }

/** The newest response before a merge, and the moment of that merge. */
type MergedFrom = { newest: StoredRsvp; changedAt: string | null }

export async function deleteRsvp({ id, name }: Pick<StoredRsvp, 'id' | 'name'>): Promise<void> {
  try {
    await request(`DELETE /api/rsvps/${id}`)
    const description = t('The response of {name} has been deleted.', { name })
    reloadAfterDeletion([id], { title: t('RSVP Deleted'), description })
  } catch (error) {
    showFailure(t('Failed to delete RSVP'), error)
  }
}

/** Deletes the ticked responses, one call a row, and reports how many were and were not deleted. */
export async function deleteRsvps(ids: number[]): Promise<void> {
  const deleted: number[] = []
  let failure: unknown
  await pLimit(AT_ONCE).map(ids, async (id) => {
    try {
      await request(`DELETE /api/rsvps/${id}`)
      deleted.push(id)
    } catch (error) {
      failure = error
    }
  })
  const left = ids.length - deleted.length
  const notice = deletedNotice(deleted.length, left)
  if (left > 0) console.error('Failed to delete RSVPs', failure)
  if (left === ids.length) showFailure(notice.description, failure)
  else reloadAfterDeletion(deleted, notice)
}

export function refuseEmptySelection(): void {
  addToast({ title: t('No Selection'), description: t('Please select RSVPs to delete.'), variant: 'destructive' })
}

/** All responses of a view, on all its pages, but for those in `except`. */
type Selected = ResponsesView & { newest: number; except: number[] }

export async function deleteSelection({ sort: _, ...selected }: Selected): Promise<void> {
  try {
    const { ids } = await (await request('POST /api/rsvps/delete', { body: selected })).json()
    reloadAfterDeletion(ids, deletedNotice(ids.length, 0))
  } catch (error) {
    console.error('Failed to delete RSVPs', error)
    showFailure(t('Failed to delete RSVPs. Reload the page to see what is left.'), error)
  }
}

function deletedNotice(deleted: number, left: number) {
  const went = plural(deleted, '{count} response was deleted', '{count} responses were deleted')
  if (left > 0) {
    const description = t('Failed to delete RSVPs. {went}, {left} not.', { went, left })
    return { title: t('Error'), description, variant: 'destructive' } as const
  }
  return { title: t('RSVPs Deleted'), description: `${went}.` }
}

/** The focus goes to the next row. */
function reloadAfterDeletion(ids: number[], notice: AfterReload<Undo>['notice']): void {
  const rows = Array.from(document.querySelectorAll<HTMLElement>('[data-rsvp]'))
  const isLeft = (row: HTMLElement) => !ids.includes(Number(row.dataset.rsvp))
  const first = rows.findIndex((row) => !isLeft(row) && row.getBoundingClientRect().top >= 0)
  const next = rows.slice(Math.max(0, first)).find(isLeft) ?? rows.findLast(isLeft)
  const focus = next === undefined ? '#responses' : deleteButton(next.dataset.rsvp)
  reloadWith<Undo>({ focus, notice, undo: ids.length > 0 ? { ids } : undefined })
}

function deleteButton(id: number | string | undefined): string {
  return `[data-rsvp="${id}"] td:last-child button:last-of-type`
}

export async function restoreRsvps(ids: number[], focus = deleteButton(ids[0])): Promise<void> {
  try {
    const restored = (await (await request('POST /api/rsvps/restore', { body: { ids } })).json()).ids.length
    const back = plural(restored, '{count} response is back in the list', '{count} responses are back in the list')
    reloadWith({ focus, notice: { title: t('RSVPs Restored'), description: `${back}.` } })
  } catch (error) {
    showFailure(t('Failed to restore RSVPs'), error)
  }
}

/** After a merge, whose undo also brings back the previous contents of the newest response. */
export function reloadAfterMerge(notice: AfterReload<Undo>['notice'], ids: number[], merged: MergedFrom): void {
  reloadWith<Undo>({ focus: '#responses', notice, undo: { ids, merged } })
}

/** Shows the notice that was kept over a reload. */
export function showKeptNotice(): void {
  const { notice, undo } = takeAfterReload<Undo>()
  if (notice === undefined) return
  const onPress = () => undo && (undo.merged ? undoMerge(undo.ids, undo.merged) : restoreRsvps(undo.ids))
  addToast({ ...notice, ...(undo && { action: { label: t('Undo'), altText: t('Bring them back'), onPress } }) })
}

/** Restores the merged responses, and the previous contents of the newest unless it was changed since. */
async function undoMerge(ids: number[], { newest, changedAt }: MergedFrom): Promise<void> {
  const headers = { 'If-Match': `"${revisionOf({ changedAt })}"` }
  const { volunteerRoles } = sentAs(newest)
  try {
    // With null for an empty field: one that is left out would stay as the merge has changed it.
    await request(`PATCH /api/rsvps/${newest.id}`, { body: { ...newest, volunteerRoles }, headers })
  } catch (error) {
    // If the newest was changed since, is gone or is refused, it stays as it is: only the others are restored.
    if (!(error instanceof ResponseError)) return showFailure(t('Failed to restore RSVPs'), error)
  }
  await restoreRsvps(ids, '#responses')
}

/** How many responses were sent with an address, the deleted ones included; undefined if that is not known. */
export function countRsvpsOf(email: string, refuse: Refuse): Promise<number | undefined> {
  return attempt(() => callErase({ email }), { failure: t('The responses could not be counted'), refuse })
}

/** Erases them for good, then reloads the page, which may show some of them. */
export function eraseRsvpsOf(email: string): Promise<unknown> {
  const erase = async () => {
    const erased = await callErase({ email, confirmed: true })
    const title = plural(erased, 'Erased {count} response for good', 'Erased {count} responses for good')
    reloadWith({ focus: '#erasing', notice: { title, description: t('Older backups may still hold them.') } })
  }
  return attempt(erase, { failure: t('The responses could not be erased') })
}

async function callErase(body: { email: string; confirmed?: boolean }): Promise<number> {
  return (await (await request('POST /api/rsvps/erase', { body })).json()).count
}

/** Downloads the filtered table as CSV. */
export function downloadCsv(query: string): Promise<void> {
  const call = () => request(query === '' ? 'GET /api/rsvps/download' : `GET /api/rsvps/download?${query}`)
  return download(call, 'rsvps.csv', t('Failed to download CSV'))
}

export const $standing = createResource('/api/standing', (error) =>
  showFailure(t('The households could not be loaded.'), error),
)

export async function endStanding({ id, name }: StandingHousehold): Promise<void> {
  const description = t('{name} is no longer expected every week.', { name })
  await changeStanding(id, false, { title: t('“Every week” Ended'), description })
}

/** For a household that has confirmed it, e.g. by telephone. */
export async function keepStanding({ id, name }: StandingHousehold): Promise<void> {
  const description = t('{name} is expected every week for another year.', { name })
  await changeStanding(id, true, { title: t('Still comes'), description })
}

/** Reloads the page: what it says of the weeks ahead has changed. */
async function changeStanding(id: number, comes: boolean, notice: Notice): Promise<void> {
  const act = async () => {
    await request(`PATCH /api/standing/${id}`, { body: { comes } })
    reloadWith({ focus: '.standing summary', notice })
  }
  await attempt(act)
}
