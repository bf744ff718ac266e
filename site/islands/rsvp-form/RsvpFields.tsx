import { useStore } from '@nanostores/react'
import type { ComponentProps, ReactNode } from 'react'
import type { Features } from '#db/values/features.ts'
import { useHydrated } from '#site/lib/hooks.ts'
import type { RoleChoice } from '#site/lib/role-choices.ts'
import { emptyDraft, type RsvpFormStore } from '#site/stores/rsvp-form.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { ChoiceGroup } from '#site/ui/ChoiceGroup.tsx'
import { Checkbox, Field } from '#site/ui/Field.tsx'
import { check, cross } from '#site/ui/Icon.tsx'
import { FamilyMembers } from './FamilyMembers.tsx'
import { VolunteerRoles } from './VolunteerRoles.tsx'

const message = { as: 'textarea', rows: 2, optional: true } as const

export type FieldsOfServer = {
  prayers: boolean
  /** Drawn by the server: see `StaticFields.tsx`. */
  afterYes?: ReactNode
  atEnd?: ReactNode
}

/** The fields of both forms. They are uncontrolled, so that nothing typed before hydration is lost. */
export function RsvpFields({
  $form,
  features,
  roles,
  own,
  prayers,
  afterYes,
  atEnd,
  children,
}: FieldsOfServer & {
  $form: RsvpFormStore
  features: Features
  roles: RoleChoice[]
  /** Whether it is the form of a private link. */
  own?: boolean
  children: ReactNode
}) {
  const { draft, errors, services } = useStore($form)
  // A restored draft remounts the fields that can only be filled in on mount. Text fields keep their contents.
  const key = draft === emptyDraft ? 0 : 1
  const errorOf = (path: string) => errors.find((error) => error.path === path)?.message
  const field = (name: 'name' | 'email' | 'phone' | 'message' | 'prayer') => ({
    name,
    defaultValue: draft[name],
    error: errorOf(name),
  })

  return (
    <>
      <div className="column rsvp-form__section">
        <ChoiceGroup
          legend={t('Will you be attending?')}
          name="attending"
          size="large"
          required
          options={[
            { value: 'true', label: t("Yes, I'll attend"), tone: 'yes', icon: check },
            { value: 'false', label: t("No, I can't"), tone: 'no', icon: cross },
          ]}
          key={`attending-${key}`}
          initial={draft.attending}
          error={errorOf('attending')}
        />
        {services && services.offered.length > 0 && (
          <div className="rsvp-form__day">
            <Field
              key={`service-${key}`}
              as="select"
              label={t('For')}
              name="serviceDate"
              defaultValue={draft.serviceDate}
              error={errorOf('serviceDate')}
            >
              {services.offered.map(({ date, label }) => (
                <option key={date} value={date}>
                  {label}
                </option>
              ))}
            </Field>
          </div>
        )}
        {afterYes}
      </div>
      {/* The row with the button sticks to the bottom of a phone within this element, so it never covers the question. */}
      <div className="column rsvp-form__parts">
        <div className="column rsvp-form__section">
          <Field label={t('Name')} {...field('name')} autoComplete="name" required enterKeyHint="next" />
          <Field
            label={t('Email')}
            {...field('email')}
            type="email"
            autoComplete="email"
            required
            enterKeyHint="next"
          />
          <Field label={t('Phone')} {...field('phone')} type="tel" autoComplete="tel" optional />
        </div>
        {features.familyRsvp && (
          <>
            {/* CSS shows this only after a No. Ticking it shows the family members. */}
            <Checkbox className="rsvp-form__others" name="othersCome" defaultChecked={draft.othersCome}>
              {t('Others of my family will come')}
              <small>{t('Tick this to send the family members you added.')}</small>
            </Checkbox>
            <FamilyMembers key={`family-${key}`} $form={$form} errorOf={errorOf} />
          </>
        )}
        {features.volunteerSignup && roles.length > 0 && (
          <VolunteerRoles
            key={`roles-${key}`}
            $form={$form}
            roles={roles}
            own={own}
            error={errorOf('volunteerRoles')}
          />
        )}
        {features.calendarIntegration && (
          <ChoiceGroup
            legend={t('Add to Calendar')}
            name="calendarType"
            size="chips"
            clearable
            options={[
              { value: 'google', label: t('Google Calendar') },
              { value: 'ical', label: t('iCal'), hint: t('Apple, Outlook etc.') },
            ]}
            key={`calendar-${key}`}
            initial={draft.calendarType}
            error={errorOf('calendarType')}
          />
        )}
        <Field
          {...field('message')}
          {...message}
          label={t('Message')}
          placeholder={prayers ? t('Any special notes?') : t('Any special notes or prayer requests?')}
        />
        {prayers && (
          <Field
            {...field('prayer')}
            {...message}
            label={t('Prayer request')}
            placeholder={t('What may we pray for?')}
          />
        )}
        {atEnd}
        {children}
      </div>
    </>
  )
}

export function HiddenFields({ page }: { page: string }) {
  const hydrated = useHydrated()

  return (
    <>
      {/* Enter presses the first submit button, which without JavaScript must not be one that adds or removes a row. */}
      {!hydrated && <button type="submit" className="visually-hidden" tabIndex={-1} aria-hidden="true" />}
      <input type="hidden" name="page" value={page} />
    </>
  )
}

/** The submit button, below the reason why the last attempt failed. */
export function SendRow({ failed, ...button }: { failed: string | undefined } & ComponentProps<'button'>) {
  return (
    <div className="rsvp-form__send">
      {failed && (
        <p className="notice notice--warning" role="alert">
          {failed}
        </p>
      )}
      <Button {...button} type="submit" className="rsvp-form__submit" />
    </div>
  )
}
