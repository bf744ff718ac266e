import { useStore } from '@nanostores/react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Features } from '#db/values/features.ts'
import type { OfferedServices } from '#site/lib/days.ts'
import { useHydrated, useResource } from '#site/lib/hooks.ts'
import type { RoleChoice } from '#site/lib/role-choices.ts'
import { readText } from '#site/lib/storage.ts'
import { $keptRsvps, $thanks } from '#site/stores/own-rsvps.ts'
import { $features, $volunteerRoles } from '#site/stores/resources.ts'
import {
  changeForm,
  createRsvpForm,
  notSent,
  type ReturnedForm,
  RSVP_FORM_ID,
  RSVP_THANKS,
  rsvpDraft,
} from '#site/stores/rsvp-form.ts'
import { t } from '#site/texts/texts.ts'
import { type FieldsOfServer, HiddenFields, RsvpFields, SendRow } from './rsvp-form/RsvpFields.tsx'
import type { Invitation } from './rsvp-form/Thanks.tsx'

/** Loads the code that the form needs once a field is touched. */
const loadParts = async () => (await import('./rsvp-form/parts.tsx')).parts
type Parts = Awaited<ReturnType<typeof loadParts>>

const noFeatures: Features = { calendarIntegration: false, familyRsvp: false, volunteerSignup: false }

/** The form for an RSVP of a whole household. Without JavaScript it is an ordinary form post. */
export function RsvpForm({
  page,
  features,
  roles,
  services,
  invitation,
  returned,
  forNewcomers,
  sendLink,
  children,
  ...server
}: FieldsOfServer & {
  /** The page with the form. Without JavaScript, the server returns to it. */
  page: '/' | '/share'
  features: Features | null
  roles: RoleChoice[] | null
  services: OfferedServices | null
  invitation: Invitation
  returned?: ReturnedForm | undefined
  /** Drawn by the server: see `StaticFields.tsx`. */
  forNewcomers?: ReactNode
  sendLink?: ReactNode
  /** The thank-you for an RSVP that was just sent without JavaScript. */
  children?: ReactNode
}) {
  const hydrated = useHydrated()
  const element = useRef<HTMLFormElement>(null)
  const [$form] = useState(() => createRsvpForm({ roles, services }, returned))
  const form = useStore($form)
  const sections = useResource(features, $features)
  const shown = sections.data ?? noFeatures
  const roleChoices = useResource(form.roles, $volunteerRoles, shown.volunteerSignup)
  const offered = roleChoices.data ?? []
  const isMissing = !sections.data || (shown.volunteerSignup && !roleChoices.data)
  const kept = useStore($keptRsvps)
  const isSent = useStore($thanks) !== undefined || kept.length > 0
  const [parts, setParts] = useState<Parts>()
  const isLoaded = useRef(false)

  /** Returns undefined if loading fails, e.g. because the device is offline. The next call tries again. */
  async function load(): Promise<Parts | undefined> {
    const loaded = await loadParts().catch(() => undefined)
    if (loaded === undefined || isLoaded.current) return loaded
    isLoaded.current = true
    setParts(loaded)
    // Restores only once: later, it would replace what was typed meanwhile.
    if (!returned && element.current) loaded.restoreForm($form, element.current)
    if (!returned && !children) loaded.followThanks()
    return loaded
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a failed attempt moves the focus.
  useEffect(() => {
    if (form.attempts > 0 || returned) load().then((loaded) => loaded?.focusFailure(element.current, form.failed))
  }, [form.attempts])

  // biome-ignore lint/correctness/useExhaustiveDependencies: what the device keeps is known only after hydration.
  useEffect(() => {
    if (children) rsvpDraft.forget()
    const isThanked = readText(RSVP_THANKS) || readText(RSVP_THANKS, 'localStorage')
    if (isSent || isMissing || rsvpDraft.restore() || isThanked) load()
  }, [isSent, isMissing])

  // biome-ignore lint/correctness/useExhaustiveDependencies: for input typed early, and again once missing parts have loaded.
  useEffect(() => {
    if (parts) followSoon()
  }, [parts, isMissing])

  /** Also on input, because a field that was focused before hydration fires no focus event. */
  function loadAndFollow() {
    load()
    followSoon()
  }

  // After the render that a click causes. Not while fields are missing that the stored draft may contain.
  const followSoon = () => setTimeout(() => isMissing || parts?.followForm($form, element.current, offered))

  async function submit(sent: HTMLFormElement) {
    if (form.pending) return
    changeForm($form, { pending: true })
    try {
      const loaded = await load()
      if (loaded) await loaded.submitForm($form, sent, offered)
      // If the code does not load, the browser posts the form as without JavaScript.
      else if (navigator.onLine) element.current?.submit()
      else changeForm($form, { failed: notSent() })
    } finally {
      changeForm($form, { pending: false })
    }
  }

  return (
    <section className="rsvp-form panel" aria-labelledby="rsvp-title">
      {/* Hidden, because the first question explains itself. For screen readers and anchors. */}
      <h2 id="rsvp-title" className="visually-hidden">
        {t('RSVP')}
      </h2>
      {parts && (
        <parts.SentRsvps calendar={shown.calendarIntegration} invitation={invitation}>
          {forNewcomers}
        </parts.SentRsvps>
      )}
      {form.round === 0 && children}
      <form
        key={form.round}
        ref={element}
        className="column"
        id={RSVP_FORM_ID}
        method="post"
        // Without JavaScript the anchor scrolls back to the form and its messages.
        action="/api/rsvp#rsvp-title"
        noValidate={hydrated}
        onFocus={loadAndFollow}
        onInput={(event) => {
          loadAndFollow()
          parts?.checkAgain($form, event)
        }}
        onKeyDown={(event) => parts?.moveOnEnter(event)}
        {...parts?.nameLists}
        onSubmit={(event) => {
          event.preventDefault()
          submit(event.currentTarget)
        }}
      >
        <HiddenFields page={page} />
        {returned?.notice && form.round === 0 && (
          <p className="notice notice--warning" role="alert">
            {returned.notice}
          </p>
        )}
        <RsvpFields {...server} $form={$form} features={shown} roles={offered}>
          <SendRow failed={form.failed} disabled={form.pending}>
            {form.pending ? t('Submitting...') : t('Submit RSVP')}
          </SendRow>
        </RsvpFields>
      </form>
      {sendLink}
    </section>
  )
}
