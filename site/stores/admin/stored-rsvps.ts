import pLimit from 'p-limit'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { revisionOf } from '#db/rsvp/stored.ts'
import type { ResponsesView } from '#site/lib/admin-page.ts'
import { isInSight, keepPlace } from '#site/lib/place.ts'
import { ResponseError, request } from '#site/lib/request.ts'
import { sessionDraft } from '#site/lib/session.ts'
import { createResource } from '#site/stores/resources.ts'
import { addToast, type Notice } from '#site/stores/toasts.ts'
import { comma } from '#site/texts/dates.ts'
import { said } from '#site/texts/said.ts'
import { plural, t } from '#site/texts/texts.ts'
import { attempt, type Refuse, tellFailedAct } from './changeable.ts'
import { download } from './download.ts'
import { withProof } from './proof.ts'

/** Concurrent requests when each row needs its own. */
const AT_ONCE = 4

export const $deletedRsvps = createResource('/api/rsvps/deleted', (error) =>
  tellFailedAct(t('Failed to load deleted responses'), error),
)

export async function deleteRsvp({ id, name }: Pick<StoredRsvp, 'id' | 'name'>): Promise<void> {
  try {
    await request(`DELETE /api/rsvps/${id}`)
    const description = t('The response of {name} has been deleted.', { name })
    reloadWithToast({ title: t('RSVP Deleted'), description, deleted: [id] })
  } catch (error) {
    tellFailedAct(t('Failed to delete RSVP'), error)
  }
}

/** Deletes the ticked responses, one call a row, and reports how many were and were not deleted. */
export async function deleteRsvps(ids: number[]): Promise<void> {
  let first: Promise<number | undefined> | undefined
  async function remove(id: number) {
    const deleted = await first
    const headers = deleted === undefined ? {} : { 'Deleted-With': String(deleted) }
    await request(`DELETE /api/rsvps/${id}`, { headers })
  }
  // All are one deletion, because each names the first, for which the others wait.
  const { done, gone, failed, failure } = await callForEach(ids, (id) => {
    const removal = remove(id)
    first ??= removal.then(
      () => id,
      () => undefined,
    )
    return removal
  })
  if (failed.length > 0) console.error('Failed to delete RSVPs', failure)
  const notice = deletedNotice(done.length, gone.length, failed.length)
  if (failed.length === ids.length) tellFailedAct(notice.description, failure)
  else reloadWithToast({ ...notice, deleted: done })
}

export function refuseEmptySelection(): void {
  addToast({ title: t('No Selection'), description: t('Please select RSVPs to delete.'), variant: 'destructive' })
}

/** All responses of a view as the administrator saw them, on all its pages. */
type Shown = ResponsesView & { newest: number; count: number; fingerprint: number; except: number[] }

/** Deletes all of them in one call, then reloads the page. */
export async function deleteSelection({ sort: _, ...selected }: Shown): Promise<void> {
  try {
    const { changed, left, deletedAt } = await (await request('POST /api/rsvps/delete', { body: selected })).json()
    reloadWithToast({ ...deletedNotice(changed, selected.count - changed - left, left), deletedAt })
  } catch (error) {
    console.error('Failed to delete RSVPs', error)
    // 412: other responses match than were shown, so none was deleted. Without a reply the outcome is unknown.
    const action = { label: t('Reload'), altText: t('Show what is there by now'), onPress: () => location.reload() }
    if (!(error instanceof ResponseError)) {
      addToast({ ...errorNotice(t('Failed to delete RSVPs. Reload the page to see what is left.')), action })
    } else if (error.status === 412) {
      const description = error.detail ? said(error.detail) : t('Other responses match by now. Look at them again.')
      addToast({ title: t('Nothing Deleted'), description, variant: 'destructive', action })
    } else tellFailedAct(deletedNotice(0, 0, selected.count).description, error)
  }
}

/** E.g. `3 responses were deleted, 1 was gone already`: undo restores only those deleted here. */
function deletedNotice(deleted: number, gone: number, left: number) {
  const done = plural(deleted, '{count} response was deleted', '{count} responses were deleted')
  const already = plural(gone, '{count} was gone already', '{count} were gone already')
  const went = gone === 0 ? done : `${done}, ${already}`
  if (left > 0) return errorNotice(t('Failed to delete RSVPs. {went}, {left} not.', { went, left }))
  return { title: deleted === 0 ? t('Nothing Deleted') : t('RSVPs Deleted'), description: `${went}.` }
}

export async function restoreRsvps(ids: number[], next = afterRestoring(ids[0])): Promise<void> {
  const { done, gone, failed, failure } = await callForEach(ids, (id) => request(`POST /api/rsvps/${id}/restore`))
  if (failed.length === ids.length) return tellNoneCameBack({ deleted: ids }, failure, () => restoreRsvps(ids, next))
  // What another administrator has restored or erased meanwhile is not tried again.
  const already = plural(
    gone.length,
    '{count} was restored or erased already',
    '{count} were restored or erased already',
  )
  const others = gone.length > 0 ? [already] : []
  if (failed.length > 0) {
    const back = t('{count} back in the list', { count: done.length })
    const parts = [back, ...others, t('{count} not', { count: failed.length })].join(comma())
    const notice = errorNotice(t('Failed to restore RSVPs. {parts}.', { parts }))
    return reloadWithToast({ ...notice, deleted: failed, label: t('Try Again') }, next)
  }
  const title = done.length === 0 ? t('Nothing Restored') : t('RSVPs Restored')
  const back = done.length === 0 ? [] : [backText(done.length)]
  reloadWithToast({ title, description: `${[...back, ...others].join(comma())}.` }, next)
}

/** Restores all that was deleted at one moment, by a deletion or one merge, then reloads the page. */
export async function restoreDeletion(deletion: Deletion): Promise<void> {
  try {
    const { changed, left } = await (await request('POST /api/rsvps/restore', { body: deletion })).json()
    if (left > 0) {
      const description = t('Failed to restore RSVPs. {back}, {left} not.', { back: backText(changed), left })
      reloadWithToast({ ...errorNotice(description), ...deletion, label: t('Try Again') }, afterRestoring())
    } else reloadWithToast({ title: t('RSVPs Restored'), description: `${backText(changed)}.` }, afterRestoring())
  } catch (error) {
    tellNoneCameBack(deletion, error, () => restoreDeletion(deletion))
  }
}

/** The page is not reloaded: all of them are still deleted. */
function tellNoneCameBack(undo: { deleted: number[] } | Deletion, failure: unknown, retry: () => Promise<void>): void {
  if (failure instanceof ResponseError && failure.status === 401) {
    tellFailedAct(t('Failed to restore RSVPs'), failure)
    // After signing in again, the administrator is offered the same undo.
    const description = t('What was deleted can still be brought back.')
    carriedToast.keep({ title: t('Not Restored Yet'), description, variant: 'destructive', ...undo })
    return
  }
  const action = { label: t('Try Again'), altText: t('Bring them back'), onPress: retry }
  addToast({ ...errorNotice(t('Failed to restore RSVPs')), action })
}

function errorNotice(description: string) {
  return { title: t('Error'), description, variant: 'destructive' } as const
}

function backText(count: number): string {
  return plural(count, '{count} response is back in the list', '{count} responses are back in the list')
}

/** Calls for each id, a few at a time. `gone` are those that no longer exist. */
async function callForEach(ids: number[], call: (id: number) => Promise<unknown>) {
  const [done, gone, failed]: [number[], number[], number[]] = [[], [], []]
  let failure: unknown
  await pLimit(AT_ONCE).map(ids, async (id) => {
    try {
      await call(id)
      done.push(id)
    } catch (error) {
      if (error instanceof ResponseError && error.status === 404) gone.push(id)
      else {
        failure = error
        failed.push(id)
      }
    }
  })
  return { done, gone, failed, failure }
}

/** How many responses were sent with an address, the deleted ones included; undefined if that is not known. */
export function countRsvpsOf(email: string, refuse: Refuse): Promise<number | undefined> {
  const count = async () => (await (await request('POST /api/rsvps/erase/count', { body: { email } })).json()).count
  return attempt(count, { failure: t('The responses could not be counted'), refuse })
}

/** Erases them for good, then reloads the page, which may show some of them. */
export function eraseRsvpsOf(email: string): Promise<unknown> {
  const erase = async () => {
    const reply = await withProof(() => request('POST /api/rsvps/erase', { body: { email } }))
    const { erased } = await reply.json()
    const title = plural(erased, 'Erased {count} response for good', 'Erased {count} responses for good')
    reloadWithToast({ title, description: t('Older backups may still hold them.') }, '#erasing')
  }
  return attempt(erase, { failure: t('The responses could not be erased') })
}

/** Downloads the filtered table as CSV. */
export function downloadCsv(query: string): Promise<boolean> {
  const call = () => request(query === '' ? 'GET /api/rsvps/download' : `GET /api/rsvps/download?${query}`)
  return download(call, 'rsvps.csv', { failure: t('Failed to download CSV') })
}

/** Of several responses; `mergedInto` is null if it was no merge. */
type Deletion = { deletedAt: string; mergedInto: number | null }

/** The newest response before a merge, and the moment of that merge. */
type MergedFrom = { newest: StoredRsvp; changedAt: string | null }

/** The part of a notice that survives a reload: its texts, and the deletion that it can undo. */
type CarriedToast = Pick<Notice, 'title' | 'description' | 'variant'> & {
  deleted?: number[]
  /** If there are too many for `deleted`: the moment of their deletion. */
  deletedAt?: string
  mergedInto?: number | null
  /** The label of the button; Undo by default. */
  label?: string
  kept?: MergedFrom
}

/** A notice for the next time that the administration is opened in this tab. @public for its test. */
export const carriedToast = sessionDraft<CarriedToast>('notice-after-reload', JSON.parse)

/** Reloads the page where it is, and shows the notice afterwards. `next` selects what gets the focus. */
export function reloadWithToast(notice: CarriedToast, next?: string): void {
  carriedToast.keep(notice)
  if (next === undefined) keepPlaceOfRows(new Set(notice.deleted))
  else keepPlace(next)
  location.reload()
}

/** The row that comes to stand where the first deleted one in sight is gets the focus, or else one in sight. */
function keepPlaceOfRows(deleted: Set<number>): void {
  const rows = Array.from(document.querySelectorAll<HTMLElement>('[data-rsvp]'))
  const isLeft = ({ dataset }: HTMLElement) => !deleted.has(Number(dataset.rsvp))
  const first = rows.find((row) => !isLeft(row) && isInSight(row))
  const next = first
    ? (rows.slice(rows.indexOf(first)).find(isLeft) ?? rows.findLast(isLeft))
    : rows.find((row) => isLeft(row) && isInSight(row))
  if (next === undefined) keepPlace('#responses')
  else keepPlace(deleteButton(next.dataset.rsvp), document.querySelector(deleteButton((first ?? next).dataset.rsvp)))
}

/** What gets the focus after a merge, or after its undo: in the row that is kept, or in the list of those to merge. */
export function afterMerge(id: number): string {
  const edit = `[data-rsvp="${id}"] td:last-child button`
  const row = document.querySelector(edit)
  return row && isInSight(row) ? edit : '.duplicates__person button'
}

function deleteButton(id: string | number | undefined): string {
  return `[data-rsvp="${id}"] td:last-child button:last-of-type`
}

/** What gets the focus once responses are restored, in the list of the deleted ones or by a notice. */
function afterRestoring(id?: number): string {
  return document.activeElement?.closest('.deleted') ? '.deleted summary' : deleteButton(id)
}

/** Shows the notice that was kept over a reload, once. If the session has ended, it waits for the next sign-in. */
export function showCarriedToast(): void {
  const carried = carriedToast.restore()
  carriedToast.forget()
  if (carried === undefined) return
  const { deleted = [], deletedAt, mergedInto = null, label = t('Undo'), kept, ...notice } = carried
  function undo() {
    if (deletedAt !== undefined) restoreDeletion({ deletedAt, mergedInto })
    else if (kept === undefined) restoreRsvps(deleted)
    else undoMerge(deleted, kept)
  }
  if (deletedAt !== undefined || deleted.length > 0)
    addToast({ ...notice, action: { label, altText: t('Bring them back'), onPress: undo } })
  else if (notice.title !== undefined) addToast(notice)
}

/** Restores the merged responses, and the previous contents of the newest unless it was changed since. */
async function undoMerge(merged: number[], { newest, changedAt }: MergedFrom): Promise<void> {
  try {
    await request(`PATCH /api/rsvps/${newest.id}`, {
      body: asEntered(newest),
      headers: { 'If-Match': `"${revisionOf({ changedAt })}"` },
    })
  } catch (error) {
    // If the newest was changed since, is gone or is refused, it stays as it is: only the others are restored.
    if (!(error instanceof ResponseError)) return tellFailedAct(t('Failed to restore RSVPs'), error)
  }
  await restoreRsvps(merged, afterMerge(newest.id))
}

function asEntered({ name, email, phone, message, attending, serviceDate, changedAt, ...rsvp }: StoredRsvp) {
  return {
    ...{ name, email, phone: phone ?? '', message: message ?? '', attending, serviceDate, changedAt },
    familyMembers: rsvp.familyMembers.map((member) => ({ ...member, age: member.age ?? '' })),
    volunteerRoles: rsvp.volunteerSignups.map(({ role }) => role.id),
  }
}
