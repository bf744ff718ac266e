import type { ReactNode } from 'react'

/** Says what is loading; screen readers announce it when they are idle. */
export function LoadingText({ children }: { children: ReactNode }) {
  return (
    <p className="loading" role="status">
      {children}
    </p>
  )
}
