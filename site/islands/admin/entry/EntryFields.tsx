import { useState } from 'react'
import type { FieldError } from '#db/errors.ts'
import type { Features } from '#db/feature/schema.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import type { OfferedRole } from '#db/volunteer-role/schema.ts'
import { type Entry, type EntryDays, entryRoles, servingOf } from '#site/lib/entry-form.ts'
import { fullDayText } from '#site/texts/dates.ts'
import { t } from '#site/texts/texts.ts'
import { ChoiceGroup } from '#site/ui/ChoiceGroup.tsx'
import { Field } from '#site/ui/Field.tsx'
import { check, cross } from '#site/ui/icons.ts'
import { EntryMembers } from './EntryMembers.tsx'
import { EntryRoles } from './EntryRoles.tsx'

const attendance = () =>
  [
    { value: 'true', label: t('Attending'), tone: 'yes', icon: check },
    { value: 'false', label: t('Not Attending'), tone: 'no', icon: cross },
  ] as const

/** The fields of a response, the most frequent first: whoever enters one after the other leaves the rest empty. */
export function EntryFields({
  stored,
  day,
  typed,
  days,
  roles,
  features,
  errors,
}: {
  /** What they contain at first; undefined for a new response. */
  stored: StoredRsvp | undefined
  /** The day that a new response is for at first. */
  day: string
  /** What they contain now; undefined before anything is typed. */
  typed: Entry | undefined
  days: EntryDays
  roles: OfferedRole[]
  features: Pick<Features, 'familyRsvp' | 'volunteerSignup'>
  errors: FieldError[]
}) {
  const errorOf = (path: string) => errors.find((error) => error.path === path)?.message
  const picked = stored?.volunteerSignups.map(({ role }) => role) ?? []
  // One that is retired by now can be taken away.
  const offered = [...roles, ...picked.filter(({ id }) => roles.every((role) => role.id !== id))]
  const before = servingOf(stored, day)
  const members = stored?.familyMembers.map((member) => ({ ...member, age: member.age ?? '' })) ?? []
  // What a response has can be changed, whatever visitors are offered.
  const withFamily = features.familyRsvp || members.length > 0
  const attending = typed?.attending ?? stored?.attending ?? true
  const [othersCome, setOthersCome] = useState(
    stored?.attending === false && members.some((member) => member.attending),
  )
  const withRoles = (features.volunteerSignup || picked.length > 0) && offered.length > 0

  return (
    <>
      <Field label={t('Name')} error={errorOf('name')}>
        {(wiring) => (
          <input
            {...wiring}
            ref={focusOnce}
            name="name"
            defaultValue={stored?.name}
            autoComplete="off"
            autoCapitalize="words"
          />
        )}
      </Field>
      {withFamily && (
        <EntryMembers
          members={members}
          withAttendance={stored !== undefined && (attending || othersCome)}
          errorOf={errorOf}
        />
      )}
      <ChoiceGroup
        legend={t('Status')}
        name="attending"
        options={attendance()}
        initial={String(stored?.attending ?? true)}
        error={errorOf('attending')}
      />
      {withFamily && !attending && (
        <label className="checkbox">
          <input
            className="checkbox__input"
            type="checkbox"
            name="othersCome"
            checked={othersCome}
            onChange={(event) => setOthersCome(event.currentTarget.checked)}
          />
          <span className="checkbox__label">{t('Others of the family will come')}</span>
        </label>
      )}
      <div className="entry__pair">
        <Field label={t('Phone')} optional error={errorOf('phone')}>
          {(wiring) => (
            <input {...wiring} name="phone" type="tel" defaultValue={stored?.phone ?? ''} autoComplete="off" />
          )}
        </Field>
        <Field label={t('Email')} optional error={errorOf('email')}>
          {(wiring) => (
            <input
              {...wiring}
              name="email"
              type="text"
              inputMode="email"
              defaultValue={stored?.email}
              autoComplete="off"
              autoCapitalize="none"
            />
          )}
        </Field>
      </div>
      {withRoles && (
        <EntryRoles
          roles={entryRoles(offered, before, typed ?? before)}
          picked={before.volunteerRoles}
          error={errorOf('volunteerRoles')}
        />
      )}
      <Field label={t('Message')} optional error={errorOf('message')}>
        {(wiring) => <textarea {...wiring} name="message" rows={2} defaultValue={stored?.message ?? ''} />}
      </Field>
      <Field label={t('Service')} error={errorOf('serviceDate')}>
        {(wiring) => (
          <select {...wiring} name="serviceDate" defaultValue={stored?.serviceDate ?? day}>
            {stored && ![...days.next, ...days.past].includes(stored.serviceDate) && dayOption(stored.serviceDate)}
            {days.next.map(dayOption)}
            <optgroup label={t('Earlier')}>{days.past.map(dayOption)}</optgroup>
          </select>
        )}
      </Field>
    </>
  )
}

function dayOption(day: string) {
  return (
    <option key={day} value={day}>
      {fullDayText(day)}
    </option>
  )
}

/** A stable function, so that React calls it once each time the form is drawn anew. */
function focusOnce(input: HTMLInputElement | null): void {
  input?.focus()
}
