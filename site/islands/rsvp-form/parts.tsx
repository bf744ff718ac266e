import { useStore } from '@nanostores/react'
import { type ReactNode, useEffect, useRef } from 'react'
import { focusFailure, moveOnEnter, nameLists } from '#site/lib/form-events.ts'
import { forgetRsvp, type KeptRsvp } from '#site/lib/outbox.ts'
import { editKept } from '#site/stores/kept-rsvps.ts'
import { $keptRsvps, $thanks } from '#site/stores/own-rsvps.ts'
import { checkAgain, followForm, restoreForm, submitForm } from '#site/stores/submit-form.ts'
import { endThanks, followThanks } from '#site/stores/thanks.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { ErrorBoundary } from '#site/ui/ErrorBoundary.tsx'
import { clock, Icon, warning } from '#site/ui/Icon.tsx'
import { AnotherFamily, type Invitation, Thanks } from './Thanks.tsx'

/** The code that the form needs once a field is touched. It is larger than the form itself, mostly for validation. */
export const parts = {
  checkAgain,
  followForm,
  restoreForm,
  submitForm,
  followThanks,
  focusFailure,
  moveOnEnter,
  nameLists,
  SentRsvps,
}

/** The RSVPs that this device keeps until they are sent, and the thank-you for the last sent one. */
function SentRsvps(props: { calendar: boolean; invitation: Invitation; children: ReactNode }) {
  const kept = useStore($keptRsvps)
  const thanks = useStore($thanks)
  return (
    <ErrorBoundary>
      {kept.map((rsvp) => (
        <KeptRsvpNote key={rsvp.key} rsvp={rsvp} />
      ))}
      {kept.length > 0 && !thanks && <AnotherFamily />}
      {thanks && (
        <Thanks
          {...props}
          key={thanks.recorded.link}
          recorded={thanks.recorded}
          takesFocus={thanks.isNew}
          isRemembered={thanks.isRemembered}
          onDone={endThanks}
        />
      )}
    </ErrorBoundary>
  )
}

function KeptRsvpNote({ rsvp }: { rsvp: KeptRsvp }) {
  const title = useRef<HTMLHeadingElement>(null)
  const { state, reason, recorded } = rsvp
  const isRefused = state === 'refused'
  // The form has been cleared, so the focus moves here.
  useEffect(() => title.current?.focus(), [])

  return (
    <div className="column thanks kept">
      <h3 className="thanks__title" ref={title} tabIndex={-1}>
        <span className="thanks__mark thanks__mark--warning">
          <Icon shape={isRefused ? warning : clock} />
        </span>
        <span>{isRefused ? t('Not accepted') : t('Kept on this device')}</span>
      </h3>
      {isRefused ? (
        <p role="status">
          {t('The RSVP of {name} was sent, and not accepted.', { name: recorded.name })}{' '}
          {reason ?? t('Please check it.')}
        </p>
      ) : (
        <p>
          {t('You are offline, {name}. Your RSVP is sent as soon as this device is online.', { name: recorded.name })}{' '}
          {t('In most browsers that also happens after you close this page. In the others, open it once more.')}
        </p>
      )}
      <p className="flow kept__acts">
        <Button variant="secondary" onClick={() => editKept(rsvp)}>
          {isRefused ? t('Correct It') : t('Change It')}
        </Button>
        <Button variant="quiet" onClick={() => forgetRsvp(rsvp)}>
          {t('Do Not Send')}
        </Button>
      </p>
    </div>
  )
}
