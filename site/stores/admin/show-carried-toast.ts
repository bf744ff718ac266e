import { addToast } from '#site/stores/toasts.ts'
import { takeCarriedToast } from './carried-toast.ts'
import { restoreDeletion, restoreRsvps } from './deleted-rsvps.ts'

/** Shows the notice that was carried over a reload. Loaded when there is one: visitors never meet it. */
export function showCarriedToast(): void {
  // Where the session has ended, its place is behind the sign-in.
  if (document.querySelector('.admin') === null) return
  const { deleted = [], deletedAt, nextRow, label = 'Undo', ...notice } = takeCarriedToast() ?? {}
  if (deletedAt !== undefined) {
    focusAfterReload('')
    const onPress = () => restoreDeletion(deletedAt)
    addToast({ ...notice, action: { label, altText: 'Bring them back', onPress } })
    return
  }
  focusAfterReload(deleted.length === 0 ? '.deleted[open] summary' : `[data-rsvp="${nextRow}"] td:last-child button`)
  if (deleted.length === 0) {
    if (notice.title !== undefined) addToast(notice)
    return
  }
  addToast({ ...notice, action: { label, altText: 'Bring them back', onPress: () => restoreRsvps(deleted) } })
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
