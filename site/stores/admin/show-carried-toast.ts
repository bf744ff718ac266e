import { addToast } from '../toasts.ts'
import { takeCarriedToast } from './carried-toast.ts'
import { restoreRsvps } from './deleted-rsvps.ts'

/** Shows the notice that was carried over a reload. Loaded when there is one: visitors never meet it. */
export function showCarriedToast(): void {
  const { deleted = [], ...notice } = takeCarriedToast() ?? {}
  if (deleted.length === 0) {
    if (notice.title !== undefined) addToast(notice)
    return
  }
  addToast({ ...notice, action: { label: 'Undo', altText: 'Bring them back', onPress: () => restoreRsvps(deleted) } })
}
