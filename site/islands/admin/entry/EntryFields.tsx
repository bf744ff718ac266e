import type { FieldError } from '#db/errors.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { dayText } from '#db/values/calendar-day.ts'
import type { VolunteerRole } from '#db/volunteer-role/schema.ts'
import { ChoiceGroup } from '#site/ui/ChoiceGroup.tsx'
import { Field } from '#site/ui/Field.tsx'
import { check, cross } from '#site/ui/icons.ts'
import { EntryMembers } from './EntryMembers.tsx'

/** The days of the services that a response can be for, the nearest first. */
export type EntryDays = { next: string[]; past: string[] }

const attendance = [
  { value: 'true', label: 'Attending', tone: 'yes', icon: check },
  { value: 'false', label: 'Not Attending', tone: 'no', icon: cross },
] as const

/** The fields of a response, the most frequent first: whoever enters one after the other leaves the rest empty. */
export function EntryFields({
  stored,
  day,
  days,
  roles,
  errors,
}: {
  /** What they contain at first; undefined for a new response. */
  stored: StoredRsvp | undefined
  /** The day that a new response is for at first. */
  day: string
  days: EntryDays
  roles: VolunteerRole[]
  errors: FieldError[]
}) {
  const errorOf = (path: string) => errors.find((error) => error.path === path)?.message
  const picked = stored?.volunteerSignups.map(({ role }) => role) ?? []
  // One that is retired by now can be taken away.
  const offered = [...roles, ...picked.filter(({ id }) => roles.every((role) => role.id !== id))]
  const members = stored?.familyMembers.map((member) => ({ ...member, age: member.age ?? '' })) ?? []

  return (
    <>
      <Field label="Name" error={errorOf('name')}>
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
      <EntryMembers members={members} withAttendance={stored !== undefined} errorOf={errorOf} />
      <ChoiceGroup
        legend="Status"
        name="attending"
        options={attendance}
        initial={String(stored?.attending ?? true)}
        error={errorOf('attending')}
      />
      <div className="entry__pair">
        <Field label="Phone" optional error={errorOf('phone')}>
          {(wiring) => (
            <input {...wiring} name="phone" type="tel" defaultValue={stored?.phone ?? ''} autoComplete="off" />
          )}
        </Field>
        <Field label="Email" optional error={errorOf('email')}>
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
      {offered.length > 0 && (
        <fieldset className="entry__roles">
          <legend className="field__label">
            Volunteer Roles<span className="field__optional"> (optional)</span>
          </legend>
          {offered.map((role) => (
            <label className="checkbox" key={role.id}>
              <input
                className="checkbox__input"
                type="checkbox"
                name="volunteerRoles"
                value={role.id}
                defaultChecked={picked.some(({ id }) => id === role.id)}
              />
              <span className="checkbox__label">{role.name}</span>
            </label>
          ))}
          {errorOf('volunteerRoles') && <p className="field__error">{errorOf('volunteerRoles')}</p>}
        </fieldset>
      )}
      <Field label="Message" optional error={errorOf('message')}>
        {(wiring) => <textarea {...wiring} name="message" rows={2} defaultValue={stored?.message ?? ''} />}
      </Field>
      <Field label="Service" error={errorOf('serviceDate')}>
        {(wiring) => (
          <select {...wiring} name="serviceDate" defaultValue={stored?.serviceDate ?? day}>
            {stored && ![...days.next, ...days.past].includes(stored.serviceDate) && dayOption(stored.serviceDate)}
            {days.next.map(dayOption)}
            <optgroup label="Earlier">{days.past.map(dayOption)}</optgroup>
          </select>
        )}
      </Field>
    </>
  )
}

function dayOption(day: string) {
  return (
    <option key={day} value={day}>
      {dayText(day)}, {day.slice(0, 4)}
    </option>
  )
}

/** A stable function, so that React calls it once each time the form is drawn anew. */
function focusOnce(input: HTMLInputElement | null): void {
  input?.focus()
}
