import { type KeyboardEvent, useContext, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Features } from '#db/values/features.ts'
import { FAMILY_MEMBERS_MAXIMUM } from '#db/values/limits.ts'
import type { StoredRsvp } from '#db/values/rsvp.ts'
import type { OfferedRole } from '#db/values/volunteer-role.ts'
import { fullText } from '#site/islands/rsvp-form/FamilyMembers.tsx'
import { RoleCheckboxes } from '#site/islands/rsvp-form/VolunteerRoles.tsx'
import type { AdminPage } from '#site/lib/admin-page.ts'
import { focusOnce } from '#site/lib/hooks.ts'
import { choicesFor } from '#site/lib/role-choices.ts'
import type { Entry, MemberLine } from '#site/stores/admin/entry.ts'
import { fullDayText } from '#site/texts/dates.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { ChoiceGroup } from '#site/ui/ChoiceGroup.tsx'
import { Checkbox, Field, FieldErrors, Optional } from '#site/ui/Field.tsx'
import { check, cross, Icon, plus, trash } from '#site/ui/Icon.tsx'

/** The fields of a response, the most frequent first: for quick entry the rest stays empty. */
export function EntryFields({
  stored,
  day,
  typed,
  days,
  roles,
  features,
}: {
  /** Their initial contents; undefined for a new response. */
  stored: StoredRsvp | undefined
  /** The initial service date of a new response. */
  day: string
  /** Their current contents; undefined before anything is typed. */
  typed: Entry | undefined
  days: AdminPage['days']
  roles: OfferedRole[]
  features: Pick<Features, 'familyRsvp' | 'volunteerSignup'>
}) {
  const errors = useContext(FieldErrors)
  const picked = stored?.volunteerSignups.map(({ role }) => role) ?? []
  // Retired roles can still be unticked.
  const offered = [...roles, ...picked.filter(({ id }) => roles.every((role) => role.id !== id))]
  const service = typed?.serviceDate ?? stored?.serviceDate ?? day
  const choices = days.next.includes(service) ? choicesFor(offered, service) : offered
  // A filled role can still be picked: the clerk decides.
  const pickable = choices.map((role) => ({ ...role, disabled: false }))
  const members = stored?.familyMembers.map((member) => ({ ...member, age: member.age ?? '' })) ?? []
  // The family and the roles of a response can be changed even if the feature is off.
  const withFamily = features.familyRsvp || members.length > 0
  const withRoles = (features.volunteerSignup || picked.length > 0) && offered.length > 0
  const attending = typed?.attending ?? stored?.attending ?? true
  const [othersCome, setOthersCome] = useState(
    stored?.attending === false && members.some((member) => member.attending),
  )

  return (
    <>
      <Field
        label={t('Name')}
        name="name"
        ref={focusOnce}
        defaultValue={stored?.name}
        autoComplete="off"
        autoCapitalize="words"
      />
      {withFamily && (
        <EntryMembers members={members} withAttendance={stored !== undefined && (attending || othersCome)} />
      )}
      <ChoiceGroup
        legend={t('Status')}
        name="attending"
        options={[
          { value: 'true', label: t('Attending'), tone: 'yes', icon: check },
          { value: 'false', label: t('Not Attending'), tone: 'no', icon: cross },
        ]}
        initial={String(stored?.attending ?? true)}
        error={errors.attending}
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
      <Checkbox name="firstVisit" defaultChecked={stored?.firstVisit}>
        {t('First visit')}
      </Checkbox>
      <div className="columns">
        <Field
          label={t('Phone')}
          name="phone"
          optional
          type="tel"
          defaultValue={stored?.phone ?? ''}
          autoComplete="off"
        />
        <Field
          label={t('Email')}
          name="email"
          optional
          type="text"
          inputMode="email"
          defaultValue={stored?.email}
          autoComplete="off"
          autoCapitalize="none"
        />
      </div>
      {withRoles && (
        <fieldset className="flow entry__roles">
          <legend className="field__label">
            {t('Volunteer Roles')}
            <Optional />
          </legend>
          <RoleCheckboxes roles={pickable} picked={picked.map(({ id }) => id)} />
          {errors.volunteerRoles && <p className="field__error">{errors.volunteerRoles}</p>}
        </fieldset>
      )}
      <Field as="textarea" label={t('Message')} optional name="message" rows={2} defaultValue={stored?.message ?? ''} />
      <Field as="select" label={t('Service')} name="serviceDate" defaultValue={stored?.serviceDate ?? day}>
        {stored && ![...days.next, ...days.past].includes(stored.serviceDate) && dayOption(stored.serviceDate)}
        {days.next.map(dayOption)}
        <optgroup label={t('Earlier')}>{days.past.map(dayOption)}</optgroup>
      </Field>
      {stored === undefined && attending && days.next.includes(service) && (
        <Checkbox name="standing">{t('Every week from this service on')}</Checkbox>
      )}
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

const emptyLine = (line: number): MemberLine => ({ line, name: '', age: '', attending: true })

/**
 * A line for each family member: Enter moves to the next line, or saves in an empty one. In the age group, typing the
 * first letter of a choice selects it.
 */
function EntryMembers({
  members,
  withAttendance,
}: {
  members: Omit<MemberLine, 'line'>[]
  /** Whether each line says if the person attends; new members do. */
  withAttendance: boolean
}) {
  const errors = useContext(FieldErrors)

  const [lines, setLines] = useState(() => [
    ...members.map((member, line) => ({ ...member, line })),
    emptyLine(members.length),
  ])
  // The line added last takes the focus; when the form opens, none does.
  const [focused, setFocused] = useState<number>()

  function addLine() {
    const line = Math.max(-1, ...lines.map((known) => known.line)) + 1
    // Synchronously: the next keystroke belongs in the new line.
    flushSync(() => {
      setLines([...lines, emptyLine(line)])
      setFocused(line)
    })
  }

  function goToNextLine(event: KeyboardEvent<HTMLElement>) {
    // Enter while composing confirms a character of the input method.
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    const line = event.currentTarget.closest('.entry-member')
    if (line?.querySelector<HTMLInputElement>('.field input')?.value.trim() === '') return
    event.preventDefault()
    const next = line?.nextElementSibling?.querySelector<HTMLInputElement>('.field input')
    if (next) next.focus()
    else if (lines.length < FAMILY_MEMBERS_MAXIMUM) addLine()
  }

  return (
    <fieldset className="stack entry__members" name="familyMembers">
      <legend className="field__label">
        {t('Family Members')}
        <Optional />
      </legend>
      {lines.map(({ line, name, age, attending }, position) => (
        <div className="flow entry-member" key={line}>
          <input type="hidden" name="line" value={line} />
          <Field
            label={t('Family member {number}', { number: position + 1 })}
            labelHidden
            name={`member.${line}.name`}
            defaultValue={name}
            placeholder={t('Name')}
            autoComplete="off"
            autoCapitalize="words"
            enterKeyHint="next"
            ref={line === focused ? focusOnce : undefined}
            onKeyDown={goToNextLine}
          />
          <Field
            as="select"
            label={t('Age group of family member {number}', { number: position + 1 })}
            labelHidden
            name={`member.${line}.age`}
            defaultValue={age}
            onKeyDown={goToNextLine}
          >
            <option value="">{t('Not said')}</option>
            <option value="adult">{t('Adult')}</option>
            <option value="teen">{t('Teen')}</option>
            <option value="child">{t('Child')}</option>
          </Field>
          {withAttendance ? (
            <Checkbox name={`member.${line}.attending`} defaultChecked={attending}>
              {t('Comes')}
            </Checkbox>
          ) : (
            <input type="hidden" name={`member.${line}.attending`} value="on" />
          )}
          <Button
            variant="quiet"
            aria-label={t('Remove family member {number}', { number: position + 1 })}
            onClick={() => setLines(lines.filter((known) => known.line !== line))}
          >
            <Icon shape={trash} />
          </Button>
        </div>
      ))}
      {errors.familyMembers && <p className="field__error">{errors.familyMembers}</p>}
      {lines.length < FAMILY_MEMBERS_MAXIMUM ? (
        <Button variant="quiet" className="entry__more" onClick={addLine}>
          <Icon shape={plus} />
          {t('Another line')}
        </Button>
      ) : (
        <p role="status">{fullText()}</p>
      )}
    </fieldset>
  )
}
