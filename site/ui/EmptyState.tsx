import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'

/** Shown in place of an empty list: a sentence that says what to do, and optionally the button that does it. */
export function EmptyState({ icon, action, children }: { icon?: string; action?: ReactNode; children: ReactNode }) {
  return (
    <div className="empty">
      {icon && <Icon shape={icon} />}
      <p className="empty__text">{children}</p>
      {action}
    </div>
  )
}
