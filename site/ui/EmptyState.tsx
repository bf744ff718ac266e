import type { ReactNode } from 'react'
import { Icon, type IconName } from './Icon.tsx'

/** Shown in place of an empty list: a sentence that says what to do, and optionally the button that does it. */
export function EmptyState({ icon, action, children }: { icon?: IconName; action?: ReactNode; children: ReactNode }) {
  return (
    <div className="empty">
      {icon && <Icon name={icon} />}
      <p className="empty__text">{children}</p>
      {action}
    </div>
  )
}
