import { type InputEvent, useEffect, useRef, useState } from 'react'
import type { Features } from '#db/feature/schema.ts'
import type { VolunteerRole } from '#db/volunteer-role/schema.ts'
import { useHydrated } from '#site/lib/hooks/use-hydrated.ts'
import { useQuery } from '#site/lib/hooks/use-query.ts'
import type { Recorded } from '#site/lib/recorded.ts'
import { emptyDraft, type ReturnedForm, readForm, stillWrong } from '#site/lib/rsvp-form.ts'
import { $featuresQuery } from '#site/stores/features.ts'
import { $volunteerRolesQuery } from '#site/stores/volunteer-roles.ts'
import { Button } from '#site/ui/Button.tsx'
import { forgetDraft, keepDraft, restoreDraft } from './rsvp-form/draft.ts'
import { HiddenFields } from './rsvp-form/HiddenFields.tsx'
import { RsvpFields } from './rsvp-form/RsvpFields.tsx'
import { SendingNotes } from './rsvp-form/SendingNotes.tsx'
import { loadCheck, sendRsvp } from './rsvp-form/send.ts'
import { Thanks } from './rsvp-form/Thanks.tsx'

/** The whole answer of a family. Posts by itself where there is no JavaScript. */
export function RsvpForm({
  page,
  formKey,
  drawnAt,
  features,
  roles,
  returned,
  thanked,
}: {
  /** Where the form stands, and where it comes back to without JavaScript. */
  page: '/' | '/share'
  /** Random, for each page that is drawn: without JavaScript it tells a second press from a second answer. */
  formKey: string
  /** When the page was drawn, in ms since 1970: without JavaScript it tells how long the form was shown. */
  drawnAt?: number | undefined
  features: Features | null
  roles: VolunteerRole[] | null
  returned?: ReturnedForm | undefined
  /** The answer that was just stored without JavaScript. */
  thanked: Recorded | undefined
}) {
  const hydrated = useHydrated()
  const form = useRef<HTMLFormElement>(null)
  const [round, setRound] = useState(0)
  const [pending, setPending] = useState(false)
  const [errors, setErrors] = useState(returned?.errors ?? [])
  const [failed, setFailed] = useState<string>()
  const [attempts, setAttempts] = useState(0)
  const [draft, setDraft] = useState(returned?.draft ?? emptyDraft)
  const [recorded, setRecorded] = useState(thanked)
  const sections = useQuery(features, $featuresQuery)
  const shown = sections.data ?? { calendarIntegration: false, familyRsvp: false, volunteerSignup: false }
  const roleChoices = useQuery(roles, $volunteerRolesQuery, shown.volunteerSignup)
  const offered = roleChoices.data ?? []
  const missing = sections.data ? shown.volunteerSignup && !roleChoices.data && $volunteerRolesQuery : $featuresQuery
  const [warned, setWarned] = useState(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a failed attempt is what moves the focus.
  useEffect(() => focusFailure(form.current, failed), [attempts])

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page has come to life: the server knows no drafts.
  useEffect(() => {
    if (thanked) forgetDraft()
    else if (!returned && form.current) setDraft(restoreDraft(form.current) ?? draft)
  }, [])

  // Later: what a press adds or removes is drawn first. Not while parts are missing, which the draft of before has.
  const keepLater = () => setTimeout(() => !missing && form.current && keepDraft(form.current))

  async function checkAgain({ target, currentTarget }: InputEvent<HTMLFormElement>) {
    keepLater()
    if (errors.length === 0) return
    const found = (await loadCheck())(readForm(new FormData(currentTarget)))
    setErrors((known) => stillWrong(known, found, target instanceof Element ? target.getAttribute('name') : null))
  }

  async function submit(fields: FormData) {
    if (pending) return
    // Whoever submits it all the same knows what it lacks.
    if (missing && !warned) return setWarned(true)
    setPending(true)
    const outcome = await sendRsvp(readForm(fields), offered)
    setPending(false)
    setErrors(outcome.errors)
    setFailed(outcome.failed)
    setAttempts(attempts + 1)
    if (outcome.recorded === undefined) return
    forgetDraft()
    setDraft(emptyDraft)
    setRecorded(outcome.recorded)
    setRound(round + 1)
  }

  return (
    <section className="rsvp-form panel" aria-labelledby="rsvp-title">
      <h2 id="rsvp-title" className="panel__title">
        RSVP
      </h2>
      {/* What the notice says where there is JavaScript */}
      {thanked && recorded === thanked && (
        <p className="notice" role="status">
          <strong>RSVP Submitted</strong> Thank you for your response!
        </p>
      )}
      {recorded && <Thanks key={`thanks-${round}`} recorded={recorded} />}
      <form
        key={round}
        ref={form}
        method="post"
        // The anchor brings a browser without JavaScript back to the form, and to what it says.
        action="/api/rsvp#rsvp-title"
        noValidate={hydrated}
        onFocus={() => {
          loadCheck()
          keepLater()
        }}
        onInput={checkAgain}
        onSubmit={(event) => {
          event.preventDefault()
          submit(new FormData(event.currentTarget))
        }}
      >
        <HiddenFields page={page} formKey={formKey} drawnAt={drawnAt} />
        {returned?.notice && round === 0 && (
          <p className="notice" role="alert">
            {returned.notice}
          </p>
        )}
        <RsvpFields draft={draft} errors={errors} features={shown} roles={offered} onErrors={setErrors} />
        <SendingNotes missing={missing} warned={warned} failed={failed} />
        <Button type="submit" variant="primary" className="rsvp-form__submit" disabled={pending}>
          {pending ? 'Submitting...' : 'Submit RSVP'}
        </Button>
      </form>
    </section>
  )
}

/** The first field that is wrong; or else the button again, which lost the focus while it was disabled. */
function focusFailure(form: HTMLFormElement | null, failed: string | undefined): void {
  const invalid = form?.querySelector<HTMLElement>('[aria-invalid="true"], .field__error[tabindex]')
  const control = invalid instanceof HTMLFieldSetElement ? invalid.querySelector<HTMLElement>('input') : invalid
  if (control) control.focus()
  else if (failed && document.activeElement === document.body)
    form?.querySelector<HTMLElement>('.rsvp-form__submit')?.focus()
}
