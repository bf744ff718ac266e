import { useRef } from 'react'
import { copyLink } from '#site/stores/share-link.ts'
import { Button } from '#site/ui/Button.tsx'
import { Field } from '#site/ui/Field.tsx'
import { RememberChoice } from './RememberChoice.tsx'

/** Leads to where an RSVP is changed: by its private link, which can be copied, or within the site. */
export function PrivateLink({ link, saysDay }: { link: string; saysDay: boolean }) {
  const key = URL.canParse(link) && new URL(link).searchParams.get('key')
  return (
    <div className="private-link">
      <p>
        Plans changed? <a href={link}>Change or withdraw</a> until the service is over.
      </p>
      {URL.canParse(link) && <LinkToKeep link={link} />}
      {key && <RememberChoice linkKey={key} saysDay={saysDay} />}
    </div>
  )
}

function LinkToKeep({ link }: { link: string }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Field label="Your private link: whoever has it can change your RSVP">
        {(wiring) => (
          <input {...wiring} ref={input} readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
        )}
      </Field>
      <Button variant="secondary" onClick={() => copyLink(link, input.current, 'Your private link')}>
        Copy Link
      </Button>
    </>
  )
}
