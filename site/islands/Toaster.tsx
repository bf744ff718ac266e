import { useStore } from '@nanostores/react'
import { type ComponentType, useEffect, useRef, useState } from 'react'
import { $toasts, dismissToast, isToastCarried, TOAST_DURATION_MS, type Toast } from '#site/stores/toasts.ts'

type ToastView = ComponentType<{
  toast: Toast | undefined
  durationMs: number
  onOpenChange: (open: boolean) => void
}>

const FIRST_INTERACTIONS = ['pointerdown', 'keydown', 'focusin'] as const

/**
 * The notification area. What draws a notice is loaded at the first sign of life, long before it is needed:
 * a notice that says the server cannot be reached could not be fetched from it.
 */
export function Toaster() {
  const [toast] = useStore($toasts)
  const [View, setView] = useState<ToastView>()
  const [touched, setTouched] = useState(false)
  const hadFocus = useRef(false)
  const wanted = touched || toast !== undefined

  useEffect(() => {
    if (isToastCarried())
      import('#site/stores/admin/show-carried-toast.ts').then(({ showCarriedToast }) => showCarriedToast())
  }, [])
  useEffect(() => {
    const touch = () => setTouched(true)
    for (const type of FIRST_INTERACTIONS) addEventListener(type, touch, { once: true, passive: true })
    return () => {
      for (const type of FIRST_INTERACTIONS) removeEventListener(type, touch)
    }
  }, [])
  useEffect(() => {
    if (!wanted || View !== undefined) return
    import('#site/ui/Toast.tsx').then((module) => {
      hadFocus.current = document.activeElement?.matches('.toasts') === true
      setView(() => module.Toast)
    })
  }, [wanted, View])
  useEffect(() => {
    if (View !== undefined && hadFocus.current) focusNotifications()
  }, [View])
  useEffect(() => {
    if (View !== undefined) return
    addEventListener('keydown', focusByF8)
    return () => removeEventListener('keydown', focusByF8)
  }, [View])

  if (View === undefined) return <section className="toasts" tabIndex={-1} aria-label="Notifications (F8)" />
  return (
    <View
      toast={toast}
      durationMs={TOAST_DURATION_MS}
      onOpenChange={(open) => open || toast === undefined || dismissToast(toast.id)}
    />
  )
}

function focusByF8(event: KeyboardEvent): void {
  if (event.key === 'F8') focusNotifications()
}

function focusNotifications(): void {
  document.querySelector<HTMLElement>('.toasts')?.focus()
}
