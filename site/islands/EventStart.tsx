import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { $event, $eventStarted, $eventSync } from '#site/stores/event.ts'
import { initializeEvent } from '#site/stores/event-start.ts'
import { t } from '#site/texts/texts.ts'

/** Loads what only editors of the event need. */
const loadParts = async () => (await import('./event-card/parts.ts')).parts
type Parts = Awaited<ReturnType<typeof loadParts>>

/** Initializes the event on a page that does not show it, and reports only a change that is not sent. */
export function EventStart({ mayEdit }: { mayEdit: boolean }) {
  const started = useStore($eventStarted)
  const stored = useStore($event)
  const sync = useStore($eventSync)
  const [parts, setParts] = useState<Parts>()
  const unsent = started && stored.unsent

  useEffect(() => {
    initializeEvent(null, mayEdit)
  }, [mayEdit])
  useEffect(() => {
    if (unsent) loadParts().then(setParts, () => {})
  }, [unsent])

  if (!parts || !unsent) return null
  return (
    <parts.UnsentNote
      lead={t('Your change of the event is saved on this device, not sent yet.')}
      conflict={parts.findConflict(stored, sync)}
      mayEdit={mayEdit}
    />
  )
}
