import { useStore } from '@nanostores/react'
import { type ReactNode, useEffect, useState } from 'react'
import { $ownRsvps } from '#site/stores/own-rsvps.ts'
import type { Coming, ResponsesList as List } from './ResponsesList.tsx'

type Drawn = { children?: ReactNode }

/** The list as the server drew it, until that is missing or the visitor has just sent an RSVP. */
export function Responses({ children, ...list }: Parameters<typeof List>[0] & Drawn) {
  const parts = useParts(list.rendered === null)
  return parts ? <parts.ResponsesList {...list} /> : children
}

/** How many people come, likewise. */
export function WhoComesNow({ children, ...coming }: Coming & Drawn) {
  const parts = useParts(false)
  return parts ? <parts.WhoComes {...coming} /> : children
}

/** The code that draws them, which most visitors never need. */
function useParts(isMissing: boolean) {
  const hasOwn = useStore($ownRsvps).length > 0
  const [parts, setParts] = useState<{ ResponsesList: typeof List; WhoComes: (coming: Coming) => ReactNode }>()
  const isNeeded = isMissing || hasOwn

  useEffect(() => {
    if (isNeeded) import('./ResponsesList.tsx').then(setParts, () => {})
  }, [isNeeded])

  return parts
}
