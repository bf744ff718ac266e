import { useStore } from '@nanostores/react'
import { type InputEvent, type SubmitEvent, useEffect, useRef, useState } from 'react'
import type { Features } from '#db/values/features.ts'
import type { OfferedRole } from '#db/values/volunteer-role.ts'
import type { ServiceDay } from '#site/lib/days.ts'
import { focusFailure, moveOnEnter, nameLists } from '#site/lib/form-events.ts'
import { useHydrated } from '#site/lib/hooks.ts'
import { isReached } from '#site/lib/request.ts'
import { choicesFor } from '#site/lib/role-choices.ts'
import { checkDraft, type RsvpDraft, readForm } from '#site/lib/rsvp-draft.ts'
import {
  changeForm,
  checkChanged,
  createRsvpForm,
  failAttempt,
  LINK_MARK,
  notSent,
  type ReturnedForm,
  RSVP_FORM_ID,
} from '#site/stores/rsvp-form.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { type FieldsOfServer, HiddenFields, RsvpFields, SendRow } from './rsvp-form/RsvpFields.tsx'

/** The form of a private link, filled in with its RSVP. The browser posts it, with and without JavaScript. */
export function OwnRsvpForm({
  draft,
  mark,
  features,
  roles,
  days,
  week,
  standing,
  returned,
  ...server
}: FieldsOfServer & {
  draft: RsvpDraft
  /** Identifies the shown RSVP. */
  mark: string
  features: Features
  roles: OfferedRole[]
  days: ServiceDay[]
  week: ServiceDay
  /** Whether the household comes every week. */
  standing: boolean
  returned?: ReturnedForm | undefined
}) {
  const hydrated = useHydrated()
  const form = useRef<HTMLFormElement>(null)
  const sending = useRef<'asking' | 'reached'>(undefined)
  const [$form] = useState(() => {
    const typed = { draft, ...returned }
    return createRsvpForm({ roles: choicesFor(roles, typed.draft.serviceDate), services: { offered: days } }, typed)
  })
  const { roles: choices, failed, attempts } = useStore($form)

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a failed attempt moves the focus.
  useEffect(() => focusFailure(form.current, failed), [attempts])

  function submit(event: SubmitEvent<HTMLFormElement>) {
    const { submitter } = event.nativeEvent
    // A withdrawal needs no valid fields.
    const isWithdrawal = submitter?.getAttribute('value') === 'withdraw'
    const errors = isWithdrawal ? [] : checkDraft(readForm(new FormData(event.currentTarget)))
    if (errors.length > 0) {
      event.preventDefault()
      failAttempt($form, errors, failed)
      // Old browsers have no `submitter`, and post the form at once.
    } else if (submitter instanceof HTMLButtonElement && sending.current !== 'reached') {
      event.preventDefault()
      if (sending.current === undefined) postOnceReached(submitter)
    }
  }

  /** Posts only if the site is reached, because the error page of the browser would lose the input. */
  async function postOnceReached(submitter: HTMLButtonElement) {
    sending.current = 'asking'
    if (await isReached()) {
      sending.current = 'reached'
      submitter.click()
    } else {
      failAttempt($form, $form.get().errors, notSent())
    }
    sending.current = undefined
  }

  function checkAgain({ target, currentTarget }: InputEvent<HTMLFormElement>) {
    const typed = readForm(new FormData(currentTarget))
    changeForm($form, { roles: choicesFor(roles, typed.serviceDate) })
    checkChanged($form, checkDraft(typed), target instanceof Element ? target.getAttribute('name') : null)
  }

  return (
    <form
      ref={form}
      className="column"
      id={RSVP_FORM_ID}
      method="post"
      // The anchor scrolls to the result.
      action={`/api/answer?week=${week.date}#reply`}
      noValidate={hydrated}
      onInput={checkAgain}
      onKeyDown={moveOnEnter}
      {...nameLists}
      onSubmit={submit}
    >
      <HiddenFields page="/answer" />
      <input type="hidden" name={LINK_MARK} value={mark} />
      <RsvpFields {...server} $form={$form} features={features} roles={choices ?? []} own>
        <SendRow failed={failed}>{standing ? t('Save for {day}', { day: week.label }) : t('Save')}</SendRow>
      </RsvpFields>
      <Button
        type="submit"
        variant="secondary"
        className="rsvp-form__yes"
        name="action"
        value={standing ? 'every-week' : 'begin'}
      >
        {standing ? t('Save for every week') : t('Save, and come every week')}
      </Button>
      <Button type="submit" variant="quiet" name="action" value="withdraw" formNoValidate>
        {standing ? t('We do not come that day') : t('Withdraw my RSVP')}
      </Button>
    </form>
  )
}
