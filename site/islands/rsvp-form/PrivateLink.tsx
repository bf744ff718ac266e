import { useRef, useState, useSyncExternalStore } from 'react'
import { useHydrated } from '#site/lib/hooks.ts'
import { copyLink } from '#site/stores/clipboard.ts'
import { canRemember, forgetRemembered, onRemembered, readRemembered, rememberRsvp } from '#site/stores/remembered.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Checkbox, Field } from '#site/ui/Field.tsx'
import { Sentence } from '#site/ui/Sentence.tsx'

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

/** Asks this device to remember an RSVP; missing where the browser keeps nothing. */
function RememberChoice({ linkKey, saysDay }: { linkKey: string; saysDay: boolean }) {
  const known = useSyncExternalStore(onRemembered, () => readRemembered()?.key)
  const [pending, setPending] = useState(false)
  const [failed, setFailed] = useState(false)
  const [possible] = useState(canRemember)
  if (!possible) return null

  async function choose(remember: boolean) {
    setFailed(false)
    if (!remember) return forgetRemembered()
    setPending(true)
    setFailed(!(await rememberRsvp(linkKey, saysDay)))
    setPending(false)
  }

  return (
    <div>
      <Checkbox
        aria-describedby="remember-meaning"
        checked={pending || known === linkKey}
        onChange={(event) => choose(event.currentTarget.checked)}
      >
        {t('Remember this on this device')}
      </Checkbox>
      <p id="remember-meaning" className="private-link__meaning">
        {t('Whoever uses this device then sees it here and can change it, until the service is over.')}{' '}
        {known !== undefined && known !== linkKey && t('It takes the place of the one that is remembered now.')}
      </p>
      <p role="status">
        {failed && t('Not remembered: the site or this browser would not have it. Copy your private link instead.')}
      </p>
    </div>
  )
}
