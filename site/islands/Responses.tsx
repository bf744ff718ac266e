import { useStore } from '@nanostores/react'
import { type ReactNode, useEffect, useState } from 'react'
import { $ownRsvps, $thanks } from '#site/stores/own-rsvps.ts'
import type { Coming, ResponsesList as List } from './ResponsesList.tsx'

/** `children` are what the server has drawn. */
type ServerDrawn = { children?: ReactNode }

/** The list as the server has drawn it. Drawn anew if that is missing, or once the visitor has sent an RSVP. */
export function Responses({ children, ...list }: Parameters<typeof List>[0] & ServerDrawn) {
  const parts = useParts(list.rendered === null)
  return parts ? <parts.ResponsesList {...list} /> : children
}

/** How many people come, as the server has drawn it. Drawn anew once the visitor has sent an RSVP. */
export function WhoComesNow({ children, ...coming }: Coming & ServerDrawn) {
  const parts = useParts(false)
  return parts ? <parts.WhoComes {...coming} /> : children
}

/** The RSVP that this tab or device thanks for, or else that of the server. The page keeps room for it while it loads. */
export function YourRsvpNow({ day, children }: { day: string | undefined } & ServerDrawn) {
  const thanks = useStore($thanks)
  const parts = useParts(thanks !== undefined)
  return <div className="your-rsvp">{parts && thanks ? <parts.YourRsvp {...thanks} day={day} /> : children}</div>
}

/** Loads the code that draws the list, which most visitors never need. */
function useParts(isMissing: boolean) {
  const hasOwn = useStore($ownRsvps).length > 0
  const [parts, setParts] = useState<typeof import('./ResponsesList.tsx')>()
  const isNeeded = isMissing || hasOwn

  useEffect(() => {
    if (isNeeded) import('./ResponsesList.tsx').then(setParts, () => {})
  }, [isNeeded])

  return parts
}
