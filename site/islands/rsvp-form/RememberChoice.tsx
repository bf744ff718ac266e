import { useState, useSyncExternalStore } from 'react'
import { canRemember, forgetRemembered, onRemembered, readRemembered } from '#site/lib/remembered.ts'
import { rememberRsvp } from '#site/stores/remembered.ts'
import { t } from '#site/texts/texts.ts'

/** Asks this device to remember an RSVP; missing where the browser keeps nothing. */
export function RememberChoice({ linkKey, saysDay }: { linkKey: string; saysDay: boolean }) {
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
      <label className="checkbox">
        <input
          className="checkbox__input"
          type="checkbox"
          aria-describedby="remember-meaning"
          checked={pending || known === linkKey}
          onChange={(event) => choose(event.currentTarget.checked)}
        />
        <span className="checkbox__label">{t('Remember this on this device')}</span>
      </label>
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
