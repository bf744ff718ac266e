import type { ReactNode } from 'react'

/** A line that says what is on its way; screen readers announce it when they are free. */
export function LoadingText({ children }: { children: ReactNode }) {
  return (
    <p className="loading" role="status">
      {children}
    </p>
  )
}
