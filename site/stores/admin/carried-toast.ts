import { CARRIED_TOAST, type Notice } from '../toasts.ts'

/** What survives a reload of a notice: its texts, and the responses whose deletion it can take back. */
export type CarriedToast = Pick<Notice, 'title' | 'description' | 'variant'> & { deleted?: number[] }

/** Reloads the page and shows the notice there: the page as it is now would take it away. */
export function reloadWithToast(notice: CarriedToast): void {
  inSession((storage) => storage.setItem(CARRIED_TOAST, JSON.stringify(notice)))
  location.reload()
}

/** The notice that was carried over a reload; it can be taken once. */
export function takeCarriedToast(): CarriedToast | undefined {
  let notice: CarriedToast | undefined
  inSession((storage) => {
    notice = JSON.parse(storage.getItem(CARRIED_TOAST) ?? 'null') ?? undefined
    storage.removeItem(CARRIED_TOAST)
  })
  return notice
}

/** Where a browser keeps nothing for sites, a notice is lost, but nothing else. */
function inSession(use: (storage: Storage) => void): void {
  try {
    use(sessionStorage)
  } catch {}
}
