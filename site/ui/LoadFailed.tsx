import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { EmptyState } from './EmptyState.tsx'

/** What stands where something could not be loaded: a sentence, and the way to try again. */
export function LoadFailed({ onRetry, children }: { onRetry: () => void; children: ReactNode }) {
  const retry = (
    <Button variant="secondary" onClick={onRetry}>
      Try Again
    </Button>
  )
  return (
    <EmptyState icon="warning" action={retry}>
      {children}
    </EmptyState>
  )
}
