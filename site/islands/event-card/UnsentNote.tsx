import { useEffect } from 'react'
import { sendEvent } from '#site/stores/admin/event-changes.ts'
import type { EventSync } from '#site/stores/event.ts'
import { Button } from '#site/ui/Button.tsx'

/** Says quietly that what is shown has not reached the server, and what to do about it. */
export function UnsentNote({ sync, onCompare }: { sync: EventSync; onCompare?: (() => void) | undefined }) {
  const waiting = sync.state === 'unsent' && !sync.signedOut
  useEffect(() => {
    if (!waiting) return
    addEventListener('online', sendEvent)
    return () => removeEventListener('online', sendEvent)
  }, [waiting])

  if (sync.state === 'idle' || sync.state === 'sending') return null
  return (
    <div className="invitation__unsent" role="status">
      <p>Saved on this device, not sent yet.</p>
      {sync.state === 'conflict' && <p>Somebody else has changed the event meanwhile.</p>}
      {sync.state === 'conflict' && onCompare && (
        <Button variant="quiet" onClick={onCompare}>
          Compare Versions
        </Button>
      )}
      {sync.state === 'unsent' && sync.signedOut && (
        <p>
          You are no longer signed in. <a href="/admin">Sign in</a> to send it.
        </p>
      )}
      {waiting && (
        <Button variant="quiet" onClick={sendEvent}>
          Send Again
        </Button>
      )}
    </div>
  )
}
