import type { FieldError } from '#db/errors.ts'
import type { Features } from '#db/feature/schema.ts'
import type { RoleChoice } from '#site/lib/role-choices.ts'
import { emptyDraft, type RsvpDraft, stillWrong } from '#site/lib/rsvp-form.ts'
import type { OfferedServices } from '#site/lib/service-days.ts'
import { t } from '#site/texts/texts.ts'
import { ChoiceGroup } from '#site/ui/ChoiceGroup.tsx'
import { Field } from '#site/ui/Field.tsx'
import { check, cross } from '#site/ui/icons.ts'
import { FamilyMembers } from './FamilyMembers.tsx'
import { MessageField } from './MessageField.tsx'
import { ServiceChoice } from './ServiceChoice.tsx'
import { VolunteerRoles } from './VolunteerRoles.tsx'

const attendance = () =>
  [
    { value: 'true', label: t("Yes, I'll attend"), tone: 'yes', icon: check },
    { value: 'false', label: t("No, I can't"), tone: 'no', icon: cross },
  ] as const
const calendars = () =>
  [
    { value: 'google', label: t('Google Calendar') },
    { value: 'ical', label: t('iCal'), hint: t('Apple, Outlook and others') },
  ] as const

/** The fields with their messages. They are uncontrolled, so that nothing typed before hydration is lost. */
export function RsvpFields({
  draft,
  errors,
  features,
  roles,
  services,
  onErrors,
  onRemoveMember,
}: {
  draft: RsvpDraft
  errors: FieldError[]
  features: Features
  roles: RoleChoice[]
  services: OfferedServices | null
  /** Called with the remaining errors when a role is picked or removed. */
  onErrors: (errors: FieldError[]) => void
  /** Called with the position that a removed family member had. */
  onRemoveMember: (position: number) => void
}) {
  // A restored draft changes the key of the parts that only a new mount can fill in. Text fields keep what they contain.
  const key = draft === emptyDraft ? 0 : 1
  const errorOf = (path: string) => errors.find((error) => error.path === path)?.message

  return (
    <>
      {services && services.offered.length > 0 && (
        <ServiceChoice
          key={`service-${key}`}
          services={services}
          chosen={draft.serviceDate}
          error={errorOf('serviceDate')}
        />
      )}
      <ChoiceGroup
        legend={t('Will you be attending?')}
        name="attending"
        size="large"
        required
        options={attendance()}
        key={`attending-${key}`}
        initial={draft.attending}
        error={errorOf('attending')}
      />
      <div className="rsvp-form__section">
        <Field label={t('Name')} error={errorOf('name')}>
          {(wiring) => <input {...wiring} name="name" autoComplete="name" defaultValue={draft.name} required />}
        </Field>
        <Field label={t('Email')} error={errorOf('email')}>
          {(wiring) => (
            <input {...wiring} name="email" type="email" autoComplete="email" defaultValue={draft.email} required />
          )}
        </Field>
        <Field label={t('Phone')} optional error={errorOf('phone')}>
          {(wiring) => <input {...wiring} name="phone" type="tel" autoComplete="tel" defaultValue={draft.phone} />}
        </Field>
      </div>
      {features.familyRsvp && (
        <>
          {/* CSS shows it only to a visitor who does not come: ticking it shows the family, and the roles are hidden. */}
          <label className="checkbox rsvp-form__others">
            <input className="checkbox__input" type="checkbox" name="othersCome" defaultChecked={draft.othersCome} />
            <span className="checkbox__label">
              {t('Others of my family will come')}
              <small>{t('Tick this to send the family members you added.')}</small>
            </span>
          </label>
          <FamilyMembers
            key={`family-${key}`}
            members={draft.familyMembers}
            errorOf={errorOf}
            onRemove={onRemoveMember}
          />
        </>
      )}
      {features.volunteerSignup && roles.length > 0 && (
        <VolunteerRoles
          key={`roles-${key}`}
          picked={draft.volunteerRoles}
          roles={roles}
          error={errorOf('volunteerRoles')}
          onPick={() => onErrors(stillWrong(errors, [], 'volunteerRoles'))}
        />
      )}
      {features.calendarIntegration && (
        <ChoiceGroup
          legend={t('Add to Calendar')}
          name="calendarType"
          clearable
          options={calendars()}
          key={`calendar-${key}`}
          initial={draft.calendarType}
          error={errorOf('calendarType')}
        />
      )}
      <MessageField text={draft.message} error={errorOf('message')} />
    </>
  )
}
