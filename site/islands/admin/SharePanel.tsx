import { useRef } from 'react'
import { isLoopback } from '#db/access/loopback.ts'
import { copyLink } from '#site/stores/share-link.ts'
import { Button } from '#site/ui/Button.tsx'
import { Field } from '#site/ui/Field.tsx'
import { Icon } from '#site/ui/Icon.tsx'
import { Panel } from '#site/ui/Panel.tsx'
import { copy } from './icons.ts'

/** The link to share, with a button that copies it. */
export function SharePanel({ link }: { link: string }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <Panel
      title="Share RSVP Form"
      description="This link leads to a read-only view that hides administrative features."
    >
      <div className="share-link">
        <Field label="Shareable link">
          {(wiring) => (
            <input {...wiring} ref={input} readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
          )}
        </Field>
        <Button variant="primary" onClick={() => copyLink(link, input.current)}>
          <Icon shape={copy} />
          Copy Link
        </Button>
      </div>
      {isLoopback(new URL(link).hostname) && (
        <p className="notice">
          This link works on this computer only. Others can open it once the site has an address of its own.
        </p>
      )}
    </Panel>
  )
}
