import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { $toasts } from '#site/stores/toasts.ts'
import { t } from '#site/texts/texts.ts'
import type { Toast } from './Toast.tsx'

const FIRST_INTERACTIONS = ['pointerdown', 'keydown', 'focusin'] as const

/** The notification area. Its view is loaded at the first interaction, because a device may go offline later. */
export function Toaster() {
  const [toast] = useStore($toasts)
  const [View, setView] = useState<typeof Toast>()
  const id = toast?.id

  useEffect(() => {
    if (View !== undefined) return
    function load() {
      import('./Toast.tsx').then(
        (module) => setView(() => module.Toast),
        // If loading fails, the next notice tries again.
        () => {},
      )
    }
    if (id !== undefined) load()
    for (const type of FIRST_INTERACTIONS) addEventListener(type, load, { once: true, passive: true })
    return () => {
      for (const type of FIRST_INTERACTIONS) removeEventListener(type, load)
    }
  }, [View, id])

  if (View === undefined) return <section className="toasts" tabIndex={-1} aria-label={t('Notifications (F8)')} />
  return <View toast={toast} />
}
