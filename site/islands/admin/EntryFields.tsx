import { useState } from 'react'
import type { FieldError } from '#db/errors.ts'
import type { Features } from '#db/feature/schema.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import type { OfferedRole } from '#db/volunteer-role/schema.ts'
import { RoleCheckboxes } from '#site/islands/rsvp-form/VolunteerRoles.tsx'
import type { AdminPage } from '#site/lib/admin-page.ts'
import { focusOnce } from '#site/lib/hooks.ts'
import { type Entry, entryRoles, servingOf } from '#site/stores/admin/entry.ts'
import { fullDayText } from '#site/texts/dates.ts'
import { said } from '#site/texts/said.ts'
import { roleName, t } from '#site/texts/texts.ts'
import { ChoiceGroup } from '#site/ui/ChoiceGroup.tsx'
import { Checkbox, Field, Optional } from '#site/ui/Field.tsx'
import { check, cross } from '#site/ui/Icon.tsx'
import { EntryMembers } from './EntryMembers.tsx'

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
  days: AdminPage['days']
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
        <Checkbox
          name="othersCome"
          checked={othersCome}
          onChange={(event) => setOthersCome(event.currentTarget.checked)}
        >
          {t('Others of the family will come')}
        </Checkbox>
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

/** What people offer to do. A role that is filled can be picked all the same: the clerk decides, and is told. */
function EntryRoles({
  roles,
  picked,
  error,
}: {
  roles: ReturnType<typeof entryRoles>
  /** Those that are picked at first. */
  picked: number[]
  error: string | undefined
}) {
  const excesses = roles.flatMap(({ name, excess }) =>
    excess === undefined ? [] : [`${roleName(name)}: ${said(excess)}.`],
  )

  return (
    <fieldset className="entry__roles">
      <legend className="field__label">
        {t('Volunteer Roles')}
        <Optional />
      </legend>
      <RoleCheckboxes roles={roles} picked={picked} />
      <p className="entry__excess" role="status">
        {excesses.length > 0 && `${excesses.join(' ')} ${t('You can save it all the same.')}`}
      </p>
      {error && <p className="field__error">{error}</p>}
    </fieldset>
  )
}
