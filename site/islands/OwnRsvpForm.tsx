import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import type { Features } from '#db/feature/schema.ts'
import type { VolunteerRole } from '#db/volunteer-role/schema.ts'
import { checkDraft } from '#site/lib/check-draft.ts'
import { useHydrated } from '#site/lib/hooks/use-hydrated.ts'
import { REVISION, type ReturnedOwnForm } from '#site/lib/own-rsvp.ts'
import { readForm } from '#site/lib/read-form.ts'
import { RSVP_FORM_ID, type RsvpDraft } from '#site/lib/rsvp-form.ts'
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
  roles: VolunteerRole[]
  days: ServiceDay[]
  returned?: ReturnedOwnForm | undefined
}) {
  const hydrated = useHydrated()
  const form = useRef<HTMLFormElement>(null)
  const [errors, setErrors] = useState(returned?.errors ?? [])
  const [attempts, setAttempts] = useState(0)

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

  return (
    <form ref={form} id={RSVP_FORM_ID} method="post" action="/api/answer" noValidate={hydrated} onSubmit={check}>
      <HiddenFields page="/answer" />
      <input type="hidden" name={REVISION} value={returned?.revision ?? revision} />
      <RsvpFields
        draft={returned?.draft ?? draft}
        errors={errors}
        features={features}
        roles={roles}
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
