import { useStore } from '@nanostores/react'
import { type ReactNode, useEffect, useState } from 'react'
import { $ownRsvps } from '#site/stores/own-rsvps.ts'
import type { ResponsesList as List } from './ResponsesList.tsx'

/** The list as the server drew it. Its code is loaded only if that is missing or the visitor has just sent an RSVP. */
export function Responses({ children, ...list }: Parameters<typeof List>[0] & { children?: ReactNode }) {
  const hasOwn = useStore($ownRsvps).length > 0
  const [parts, setParts] = useState<{ ResponsesList: typeof List }>()
  const isComplete = list.rendered !== null && !hasOwn

  useEffect(() => {
    if (!isComplete) import('./ResponsesList.tsx').then(setParts, () => {})
  }, [isComplete])

  return parts ? <parts.ResponsesList {...list} /> : children
}
