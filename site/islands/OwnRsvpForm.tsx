import { type InputEvent, type SubmitEvent, useEffect, useRef, useState } from 'react'
import type { Features } from '#db/feature/schema.ts'
import type { OfferedRole } from '#db/volunteer-role/schema.ts'
import { checkDraft } from '#site/lib/check-draft.ts'
import { useHydrated } from '#site/lib/hooks/use-hydrated.ts'
import { REVISION, type ReturnedOwnForm } from '#site/lib/own-rsvp.ts'
import { readForm } from '#site/lib/read-form.ts'
import { choicesFor } from '#site/lib/role-choices.ts'
import { RSVP_FORM_ID, type RsvpDraft, stillWrong } from '#site/lib/rsvp-form.ts'
import type { ServiceDay } from '#site/lib/service-days.ts'
import { Button } from '#site/ui/Button.tsx'
import { focusFailure } from './rsvp-form/focus-failure.ts'
import { HiddenFields } from './rsvp-form/HiddenFields.tsx'
import { RsvpFields } from './rsvp-form/RsvpFields.tsx'

/** The form of a private link: the same fields, filled in. It is posted by the browser, with and without JavaScript. */
export function OwnRsvpForm({
  draft,
  revision,
  features,
  roles,
  days,
  returned,
}: {
  draft: RsvpDraft
  revision: string
  features: Features
  roles: OfferedRole[]
  days: ServiceDay[]
  returned?: ReturnedOwnForm | undefined
}) {
  const hydrated = useHydrated()
  const form = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState(returned?.errors ?? [])
  const [attempts, setAttempts] = useState(0)
  const [day, setDay] = useState((returned?.draft ?? draft).serviceDate)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a refused attempt is what moves the focus.
  useEffect(() => focusFailure(form.current, undefined), [attempts])

  function check(event: SubmitEvent<HTMLFormElement>) {
    // To withdraw it, nothing has to be right.
    if (event.nativeEvent.submitter?.getAttribute('value') === 'withdraw') return
    const found = checkDraft(readForm(new FormData(event.currentTarget)))
    if (found.length === 0) return
    event.preventDefault()
    setErrors(found)
    setAttempts(attempts + 1)
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
      // Where it comes back, the anchor scrolls to what is wrong.
      action="/api/answer#rsvp-title"
      noValidate={hydrated}
      onInput={checkAgain}
      onSubmit={check}
    >
      <HiddenFields page="/answer" />
      <input type="hidden" name={REVISION} value={returned?.revision ?? revision} />
      <RsvpFields
        draft={returned?.draft ?? draft}
        errors={errors}
        features={features}
        roles={choicesFor(roles, day)}
        days={days}
        onErrors={setErrors}
      />
      <Button type="submit" variant="primary" className="rsvp-form__submit">
        Save
      </Button>
      <Button type="submit" variant="quiet" name="action" value="withdraw" formNoValidate>
        Withdraw my RSVP
      </Button>
    </form>
  )
}
