import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'
import { check, cross } from './icons.ts'

/** A yes or a no, shown by icon, word and color together. */
export function StatusMark({ tone, children }: { tone: 'yes' | 'no'; children: ReactNode }) {
  return (
    <span className={`status status--${tone}`}>
      <Icon shape={tone === 'yes' ? check : cross} />
      {children}
    </span>
  )
}
