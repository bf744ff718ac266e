import { addToast } from '#site/stores/toasts.ts'
import { t } from '#site/texts/texts.ts'
import { takeCarriedToast } from './carried-toast.ts'
import { restoreDeletion, restoreRsvps } from './deleted-rsvps.ts'
import { undoMerge } from './duplicates.ts'

/** Shows the notice that was carried over a reload, if there is one. Where the session has ended, it waits for the next. */
export function showCarriedToast(): void {
  const carried = takeCarriedToast()
  if (carried === undefined) return
  const { deleted = [], deletedAt, nextRow, next, label = t('Undo'), kept, ...notice } = carried
  if (deletedAt !== undefined) {
    focusAfterReload('')
    const onPress = () => restoreDeletion(deletedAt)
    addToast({ ...notice, action: { label, altText: t('Bring them back'), onPress } })
    return
  }
  const nextDelete = `[data-rsvp="${nextRow}"] td:last-child button:last-of-type`
  focusAfterReload(next ?? (deleted.length === 0 && nextRow === undefined ? '.deleted[open] summary' : nextDelete))
  if (deleted.length === 0) {
    if (notice.title !== undefined) addToast(notice)
    return
  }
  const onPress = () => (kept === undefined ? restoreRsvps(deleted) : undoMerge(deleted, kept))
  addToast({ ...notice, action: { label, altText: t('Bring them back'), onPress } })
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
