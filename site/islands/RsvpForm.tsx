import { useStore } from '@nanostores/react'
import { type InputEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { Features } from '#db/feature/schema.ts'
import { useHydrated } from '#site/lib/hooks/use-hydrated.ts'
import { useResource } from '#site/lib/hooks/use-resource.ts'
import type { RoleChoice } from '#site/lib/role-choices.ts'
import { emptyDraft, type ReturnedForm, RSVP_DRAFT, RSVP_FORM_ID, stillWrong } from '#site/lib/rsvp-form.ts'
import type { OfferedServices, ServiceDay } from '#site/lib/service-days.ts'
import { readSession, writeSession } from '#site/lib/session.ts'
import { $features } from '#site/stores/features.ts'
import { $keptRsvps } from '#site/stores/kept-rsvps.ts'
import { $volunteerRoles } from '#site/stores/volunteer-roles.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import type { Invitation } from './rsvp-form/Farewell.tsx'
import { HiddenFields } from './rsvp-form/HiddenFields.tsx'
import { RsvpFields } from './rsvp-form/RsvpFields.tsx'
import { SendingNotes } from './rsvp-form/SendingNotes.tsx'
import { type Parts, useParts } from './rsvp-form/use-parts.ts'

/** The form for an RSVP of a whole household. Without JavaScript it is an ordinary form post. */
export function RsvpForm({
  page,
  features,
  roles,
  services: drawn,
  invitation,
  returned,
  children,
}: {
  /** The page that shows the form, and that the server returns to without JavaScript. */
  page: '/' | '/share'
  features: Features | null
  roles: RoleChoice[] | null
  services: OfferedServices | null
  invitation: Invitation
  returned?: ReturnedForm | undefined
  /** The thanks for an RSVP that was just stored without JavaScript. */
  children?: ReactNode
}) {
  const hydrated = useHydrated()
  const form = useRef<HTMLFormElement>(null)
  const [round, setRound] = useState(0)
  const [pending, setPending] = useState(false)
  const [errors, setErrors] = useState(returned?.errors ?? [])
  const [failed, setFailed] = useState<string>()
  const [attempts, setAttempts] = useState(0)
  const [draft, setDraft] = useState(returned?.draft ?? emptyDraft)
  const [known, setKnown] = useState(roles)
  const [services, setServices] = useState(drawn)
  const sections = useResource(features, $features)
  const shown = sections.data ?? { calendarIntegration: false, familyRsvp: false, volunteerSignup: false }
  const roleChoices = useResource(known, $volunteerRoles, shown.volunteerSignup)
  const offered = roleChoices.data ?? []
  const missing = sections.data ? shown.volunteerSignup && !roleChoices.data && $volunteerRoles : $features
  const isKept = useStore($keptRsvps).length > 0
  const [warned, setWarned] = useState(false)
  const { parts, load } = useParts(restore)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a failed attempt is what moves the focus.
  useEffect(() => {
    if (attempts > 0 || returned) load().then((loaded) => loaded?.focusFailure(form.current, failed))
  }, [attempts])

  // biome-ignore lint/correctness/useExhaustiveDependencies: after hydration, because the server does not know what the device keeps.
  useEffect(() => {
    if (children) writeSession(RSVP_DRAFT, '')
    const isTold = document.querySelector('.remembered:not([hidden]), .remembered--thanked')
    if (isKept || missing || readSession(RSVP_DRAFT) || isTold) load()
  }, [isKept, missing])

  // biome-ignore lint/correctness/useExhaustiveDependencies: keeps what was typed before, and once the database can be read again.
  useEffect(() => {
    if (!parts) return
    keepDraftSoon()
    if (sections.data && !services) parts.listConfirmedDays().then(setDays)
  }, [parts, sections.data])

  /** Once: a draft that is restored later would replace what was typed meanwhile. */
  function restore({ restoreDraft }: Parts) {
    const restored = !returned && form.current && restoreDraft(form.current)
    if (!restored) return
    setDraft(restored.draft)
    setErrors(restored.errors)
  }

  // After the render that a click causes. Not while parts of the form are missing that the stored draft may have.
  const keepDraftSoon = () => setTimeout(() => missing || !parts || setKnown(parts.follow(form.current, offered)))

  function checkAgain({ target, currentTarget }: InputEvent<HTMLFormElement>) {
    // A field that was in use before React started has caused no focus event.
    load()
    keepDraftSoon()
    if (errors.length === 0) return
    const found = parts?.checkDraft(parts.readForm(new FormData(currentTarget))) ?? []
    setErrors((known) => stillWrong(known, found, target instanceof Element ? target.getAttribute('name') : null))
  }

  function setDays(offered: ServiceDay[] | undefined) {
    if (offered) setServices({ offered })
  }

  async function submit(fields: FormData) {
    if (pending) return
    // Held back once; a visitor who submits again knows that a part is missing.
    if (missing && !warned) return setWarned(true)
    setPending(true)
    const loaded = await load()
    const outcome = await loaded?.submitRsvp(loaded.readForm(fields), offered, setDays, setKnown)
    setPending(false)
    // The browser sends it itself, as it does without JavaScript.
    if (outcome === undefined) return navigator.onLine && form.current?.submit()
    setErrors(outcome.errors)
    setFailed(outcome.failed)
    setAttempts(attempts + 1)
    if (!outcome.isDone) return
    writeSession(RSVP_DRAFT, '')
    setDraft(emptyDraft)
    setRound(round + 1)
  }

  return (
    <section className="rsvp-form panel" aria-labelledby="rsvp-title">
      <h2 id="rsvp-title" className="panel__title">
        {t('RSVP')}
      </h2>
      {parts && <parts.SentRsvps calendar={shown.calendarIntegration} invitation={invitation} />}
      {round === 0 && children}
      {/* CSS shows it instead of the form, which its anchor brings back. */}
      <a className="rsvp-form__another button button--secondary" href={`#${RSVP_FORM_ID}`} onClick={parts?.beginAgain}>
        {t('Respond for another family')}
      </a>
      <form
        key={round}
        ref={form}
        id={RSVP_FORM_ID}
        method="post"
        // Without JavaScript the anchor scrolls back to the form and its messages.
        action="/api/rsvp#rsvp-title"
        noValidate={hydrated}
        onFocus={() => {
          load()
          keepDraftSoon()
        }}
        onInput={checkAgain}
        onSubmit={(event) => {
          event.preventDefault()
          submit(new FormData(event.currentTarget))
        }}
      >
        <HiddenFields page={page} />
        {returned?.notice && round === 0 && (
          <p className="notice" role="alert">
            {returned.notice}
          </p>
        )}
        <RsvpFields
          draft={draft}
          errors={errors}
          features={shown}
          roles={offered}
          services={services}
          onErrors={setErrors}
          onRemoveMember={(position) => parts && setErrors(parts.withoutMember(errors, position))}
        />
        {missing && parts && <parts.MissingPart reload={missing.reload} warned={warned} />}
        <SendingNotes failed={failed} />
        <Button type="submit" variant="primary" className="rsvp-form__submit" disabled={pending}>
          {pending ? t('Submitting...') : t('Submit RSVP')}
        </Button>
      </form>
    </section>
  )
}
