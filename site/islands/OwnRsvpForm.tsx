import { type InputEvent, type SubmitEvent, useEffect, useRef, useState } from 'react'
import type { Features } from '#db/feature/schema.ts'
import type { OfferedRole } from '#db/volunteer-role/schema.ts'
import { checkDraft } from '#site/lib/check-draft.ts'
import { useHydrated } from '#site/lib/hooks/use-hydrated.ts'
import { isReached } from '#site/lib/is-reached.ts'
import { notSent } from '#site/lib/not-sent.ts'
import { LINK_MARK, REVISION, type ReturnedOwnForm } from '#site/lib/own-rsvp.ts'
import { readForm } from '#site/lib/read-form.ts'
import { choicesFor } from '#site/lib/role-choices.ts'
import { RSVP_FORM_ID, type RsvpDraft, stillWrong } from '#site/lib/rsvp-form.ts'
import type { ServiceDay } from '#site/lib/service-days.ts'
import { withoutMember } from '#site/lib/without-member.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { focusFailure } from './rsvp-form/focus-failure.ts'
import { HiddenFields } from './rsvp-form/HiddenFields.tsx'
import { RsvpFields } from './rsvp-form/RsvpFields.tsx'
import { SendingNotes } from './rsvp-form/SendingNotes.tsx'

/** The form of a private link: the same fields, filled in. It is posted by the browser, with and without JavaScript. */
export function OwnRsvpForm({
  draft,
  mark,
  revision,
  features,
  roles,
  days,
  returned,
}: {
  draft: RsvpDraft
  /** Says which RSVP it is. */
  mark: string
  revision: string
  features: Features
  roles: OfferedRole[]
  days: ServiceDay[]
  returned?: ReturnedOwnForm | undefined
}) {
  const hydrated = useHydrated()
  const form = useRef<HTMLFormElement>(null)
  const sending = useRef<'asking' | 'reached'>(undefined)
  const [errors, setErrors] = useState(returned?.errors ?? [])
  const [failed, setFailed] = useState<string>()
  const [attempts, setAttempts] = useState(0)
  const [day, setDay] = useState((returned?.draft ?? draft).serviceDate)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a refused attempt is what moves the focus.
  useEffect(() => focusFailure(form.current, failed), [attempts])

  function submit(event: SubmitEvent<HTMLFormElement>) {
    const { submitter } = event.nativeEvent
    // To withdraw it, nothing has to be right.
    const isWithdrawal = submitter?.getAttribute('value') === 'withdraw'
    const found = isWithdrawal ? [] : checkDraft(readForm(new FormData(event.currentTarget)))
    if (found.length > 0) {
      event.preventDefault()
      setErrors(found)
      setAttempts(attempts + 1)
      // Old browsers do not say which button it was: they post the form at once.
    } else if (submitter instanceof HTMLButtonElement && sending.current !== 'reached') {
      event.preventDefault()
      if (sending.current === undefined) postOnceReached(submitter)
    }
  }

  /** The browser's own error page, where the site is out of reach, would take what was typed. */
  async function postOnceReached(submitter: HTMLButtonElement) {
    sending.current = 'asking'
    if (await isReached()) {
      sending.current = 'reached'
      submitter.click()
    } else {
      setFailed(notSent())
      setAttempts(attempts + 1)
    }
    sending.current = undefined
  }

  function checkAgain({ target, currentTarget }: InputEvent<HTMLFormElement>) {
    const typed = readForm(new FormData(currentTarget))
    setDay(typed.serviceDate)
    const changed = target instanceof Element ? target.getAttribute('name') : null
    setErrors((known) => stillWrong(known, checkDraft(typed), changed))
  }

  return (
    <form
      ref={form}
      id={RSVP_FORM_ID}
      method="post"
      // The anchor leads to what is said of it.
      action="/api/answer#reply"
      noValidate={hydrated}
      onInput={checkAgain}
      onSubmit={submit}
    >
      <HiddenFields page="/answer" />
      <input type="hidden" name={LINK_MARK} value={mark} />
      <input type="hidden" name={REVISION} value={returned?.revision ?? revision} />
      <RsvpFields
        draft={returned?.draft ?? draft}
        errors={errors}
        features={features}
        roles={choicesFor(roles, day)}
        services={{ offered: days }}
        onErrors={setErrors}
        onRemoveMember={(position) => setErrors(withoutMember(errors, position))}
      />
      <SendingNotes failed={failed} />
      <Button type="submit" variant="primary" className="rsvp-form__submit">
        {t('Save')}
      </Button>
      <Button type="submit" variant="quiet" name="action" value="withdraw" formNoValidate>
        {t('Withdraw my RSVP')}
      </Button>
    </form>
  )
}
