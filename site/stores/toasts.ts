import { atom } from 'nanostores'
import { t } from '#site/texts/texts.ts'

/** How long a notice is shown, and a dismissed notice kept (specification, section 9). */
export const TOAST_DURATION_MS = 5000
const TOAST_REMOVE_DELAY_MS = 1_000_000
/** How many notices are shown at a time. A new one replaces the previous one. */
const TOAST_LIMIT = 1

export type Notice = {
  title?: string
  description?: string
  action?: { label: string; altText: string; onPress: () => void }
  variant?: 'default' | 'destructive'
}
export type Toast = Notice & { id: string; variant: 'default' | 'destructive'; open: boolean }

export const $toasts = atom<Toast[]>([])

const removals = new Map<string, ReturnType<typeof setTimeout>>()
let lastId = 0

export function addToast(notice: Notice): string {
  lastId += 1
  const id = String(lastId)
  $toasts.set([{ variant: 'default' as const, ...notice, id, open: true }, ...$toasts.get()].slice(0, TOAST_LIMIT))
  return id
}

/** @public The specification asks for it. */
export function updateToast(id: string, change: Notice): void {
  $toasts.set($toasts.get().map((toast) => (toast.id === id ? { ...toast, ...change } : toast)))
}

/** Hides a notice; it is removed after `TOAST_REMOVE_DELAY_MS`. */
export function dismissToast(id: string): void {
  $toasts.set($toasts.get().map((toast) => (toast.id === id ? { ...toast, open: false } : toast)))
  if (!removals.has(id))
    removals.set(
      id,
      setTimeout(() => removeToast(id), TOAST_REMOVE_DELAY_MS),
    )
}

/** @public The specification asks for it. */
export function removeToast(id: string): void {
  clearTimeout(removals.get(id))
  removals.delete(id)
  $toasts.set($toasts.get().filter((toast) => toast.id !== id))
}

export function addErrorToast(description: string): string {
  return addToast({ title: t('Error'), description, variant: 'destructive' })
}
