import { useState } from 'react'
import type { FieldError } from '#db/errors.ts'
import type { Features } from '#db/feature/schema.ts'
import type { VolunteerRole } from '#db/volunteer-role/schema.ts'
import type { RsvpDraft } from '#site/lib/rsvp-form.ts'
import { ChoiceGroup } from '#site/ui/ChoiceGroup.tsx'
import { Field } from '#site/ui/Field.tsx'
import { FamilyMembers } from './FamilyMembers.tsx'
import { VolunteerRoles } from './VolunteerRoles.tsx'

const attendance = [
  { value: 'true', label: "Yes, I'll attend", tone: 'yes', icon: 'check' },
  { value: 'false', label: "No, I can't", tone: 'no', icon: 'cross' },
] as const
const calendars = [
  { value: 'google', label: 'Google Calendar' },
  { value: 'ical', label: 'iCal' },
] as const

/** The fields, each with its message. Texts live in the fields themselves, so that nothing typed early is lost. */
export function RsvpFields({
  draft,
  errors,
  features,
  roles,
  onRemoveMember,
}: {
  draft: RsvpDraft
  errors: FieldError[]
  features: Features
  roles: VolunteerRole[]
  onRemoveMember: (position: number) => void
}) {
  const [attending, setAttending] = useState<string | undefined>(draft.attending)
  const [calendarType, setCalendarType] = useState<string | undefined>(draft.calendarType)
  const errorOf = (path: string) => errors.find((error) => error.path === path)?.message

  return (
    <>
      <ChoiceGroup
        legend="Will you be attending?"
        name="attending"
        size="large"
        required
        options={attendance}
        value={attendance.find(({ value }) => value === attending)?.value}
        onChange={setAttending}
        error={errorOf('attending')}
      />
      <div className="rsvp-form__section">
        <Field label="Name" error={errorOf('name')}>
          {(wiring) => <input {...wiring} name="name" autoComplete="name" defaultValue={draft.name} required />}
        </Field>
        <Field label="Email" error={errorOf('email')}>
          {(wiring) => (
            <input
              {...wiring}
              name="email"
              type="email"
              inputMode="email"
              autoComplete="email"
              defaultValue={draft.email}
              required
            />
          )}
        </Field>
        <Field label="Phone" optional error={errorOf('phone')}>
          {(wiring) => (
            <input {...wiring} name="phone" type="tel" inputMode="tel" autoComplete="tel" defaultValue={draft.phone} />
          )}
        </Field>
      </div>
      {features.familyRsvp && (
        <FamilyMembers members={draft.familyMembers} errorOf={errorOf} onRemove={onRemoveMember} />
      )}
      {features.volunteerSignup && roles.length > 0 && (
        <VolunteerRoles picked={draft.volunteerRoles} roles={roles} error={errorOf('volunteerRoles')} />
      )}
      {features.calendarIntegration && (
        <ChoiceGroup
          legend="Add to Calendar"
          name="calendarType"
          clearable
          options={calendars}
          value={calendars.find(({ value }) => value === calendarType)?.value}
          onChange={setCalendarType}
          error={errorOf('calendarType')}
        />
      )}
      <Field label="Message" optional error={errorOf('message')}>
        {(wiring) => (
          <textarea
            {...wiring}
            name="message"
            rows={4}
            defaultValue={draft.message}
            placeholder="Any special notes or prayer requests?"
          />
        )}
      </Field>
    </>
  )
}
