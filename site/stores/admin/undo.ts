import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { revisionOf } from '#db/rsvp/stored.ts'
import { ResponseError, request } from '#site/lib/request.ts'
import { addToast } from '#site/stores/toasts.ts'
import { t } from '#site/texts/texts.ts'
import { carriedToast, type MergedFrom } from './carried-toast.ts'
import { tellFailedAct } from './changeable.ts'
import { restoreDeletion, restoreRsvps } from './stored-rsvps.ts'

/** Shows the notice that was carried over a reload, if there is one, once. Where the session has ended, it waits for the next. */
export function showCarriedToast(): void {
  const carried = carriedToast.restore()
  carriedToast.forget()
  if (carried === undefined) return
  const { deleted = [], deletedAt, nextRow, next, label = t('Undo'), kept, ...notice } = carried
  const undo = { label, altText: t('Bring them back') }
  if (deletedAt !== undefined) {
    focusAfterReload('')
    addToast({ ...notice, action: { ...undo, onPress: () => restoreDeletion(deletedAt) } })
    return
  }
  const nextDelete = `[data-rsvp="${nextRow}"] td:last-child button:last-of-type`
  focusAfterReload(next ?? (deleted.length === 0 && nextRow === undefined ? '.deleted[open] summary' : nextDelete))
  if (deleted.length > 0) {
    const onPress = () => (kept === undefined ? restoreRsvps(deleted) : undoMerge(deleted, kept))
    addToast({ ...notice, action: { ...undo, onPress } })
  } else if (notice.title !== undefined) addToast(notice)
}

/** What was pressed has gone with its page: the keyboard goes on at the next one, or else at the heading. */
function focusAfterReload(next: string): void {
  if (document.activeElement !== document.body) return
  const target =
    (next === '' ? null : document.querySelector<HTMLElement>(next)) ??
    document.querySelector<HTMLElement>('.admin .panel__title')
  if (target?.matches('h2')) target.tabIndex = -1
  target?.focus()
}

/** Brings back what was merged, and what the newest said before, unless that was changed since. */
async function undoMerge(merged: number[], { newest, changedAt }: MergedFrom): Promise<void> {
  try {
    await request(`PATCH /api/rsvps/${newest.id}`, {
      body: asEntered(newest),
      headers: { 'If-Match': `"${revisionOf({ changedAt })}"` },
    })
  } catch (error) {
    // Where the newest was changed since, is gone or is refused, it stays as it is: the others come back beside it.
    if (!(error instanceof ResponseError)) return tellFailedAct(t('Failed to restore RSVPs'), error)
  }
  await restoreRsvps(merged)
}

function asEntered({ name, email, phone, message, attending, serviceDate, changedAt, ...rsvp }: StoredRsvp) {
  return {
    ...{ name, email, phone: phone ?? '', message: message ?? '', attending, serviceDate, changedAt },
    familyMembers: rsvp.familyMembers.map((member) => ({ ...member, age: member.age ?? '' })),
    volunteerRoles: rsvp.volunteerSignups.map(({ role }) => role.id),
  }
}
