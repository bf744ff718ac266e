import { useEffect } from 'react'
import { initializeEvent } from '#site/stores/event-start.ts'

/** Initialises the event on a page that does not show it; draws nothing. */
export function EventStart({ mayEdit }: { mayEdit: boolean }) {
  useEffect(() => {
    initializeEvent(null, mayEdit)
  }, [mayEdit])
  return null
}
