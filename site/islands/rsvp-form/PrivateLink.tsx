import { useRef } from 'react'
import { useHydrated } from '#site/lib/hooks/use-hydrated.ts'
import { copyLink } from '#site/stores/share-link.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Field } from '#site/ui/Field.tsx'
import { Sentence } from '#site/ui/Sentence.tsx'
import { RememberChoice } from './RememberChoice.tsx'

/** Leads to where an RSVP is changed: by its private link, which is there to be kept, or within the site. */
export function PrivateLink({ link, saysDay }: { link: string; saysDay: boolean }) {
  const key = URL.canParse(link) && new URL(link).searchParams.get('key')
  return (
    <div className="private-link">
      <p>
        <Sentence
          text="Plans changed? {link} until the service is over."
          link={<a href={link}>{t('Change or withdraw')}</a>}
        />
      </p>
      {key && <LinkToKeep link={link} linkKey={key} saysDay={saysDay} />}
    </div>
  )
}

function LinkToKeep({ link, linkKey, saysDay }: { link: string; linkKey: string; saysDay: boolean }) {
  const input = useRef<HTMLInputElement>(null)
  // What the server draws for browsers without JavaScript stays as it is, also where there is JavaScript.
  const hydrated = useHydrated()
  return (
    <>
      <div className="private-link__keep">
        <Field label={t('Your private link: whoever has it can change your RSVP')}>
          {(wiring) => (
            <input {...wiring} ref={input} readOnly value={link} onFocus={(event) => event.currentTarget.select()} />
          )}
        </Field>
        {hydrated && (
          <Button
            variant="secondary"
            onClick={() => copyLink(link, input.current, t('Your private link has been copied to clipboard!'))}
          >
            {t('Copy Link')}
          </Button>
        )}
      </div>
      {hydrated && <RememberChoice linkKey={linkKey} saysDay={saysDay} />}
    </>
  )
}
