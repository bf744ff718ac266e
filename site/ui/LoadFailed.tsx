import { type ReactNode, useState } from 'react'
import { t } from '#site/texts/texts.ts'
import { Button } from './Button.tsx'
import { EmptyState } from './EmptyState.tsx'
import { warning } from './icons.ts'

/** Shown in place of what could not be loaded: a sentence, and a button to try again. */
export function LoadFailed({ onRetry, children }: { onRetry: () => Promise<void>; children: ReactNode }) {
  const [trying, setTrying] = useState(false)

  async function retry() {
    if (trying) return
    setTrying(true)
    await onRetry()
    setTrying(false)
  }

  return (
    <EmptyState
      icon={warning}
      action={
        <Button variant="secondary" aria-disabled={trying || undefined} onClick={retry}>
          {t('Try Again')}
        </Button>
      }
    >
      {children}
    </EmptyState>
  )
}
