import { useRef, useState } from 'react'
import { FAMILY_MEMBERS_MAXIMUM } from '#db/values/limits.ts'
import { focusOnce, useHydrated } from '#site/lib/hooks.ts'
import { emptyMember, type RsvpFormStore, removeMember } from '#site/stores/rsvp-form.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { ChoiceGroup } from '#site/ui/ChoiceGroup.tsx'
import { Field, FieldError } from '#site/ui/Field.tsx'
import { Icon, plus, trash } from '#site/ui/Icon.tsx'

export function FamilyMembers({
  $form,
  errorOf,
}: {
  $form: RsvpFormStore
  errorOf: (path: string) => string | undefined
}) {
  const add = useRef<HTMLButtonElement>(null)
  // Without JavaScript, the buttons post the form, and invalid fields must not prevent that.
  const posting = !useHydrated()
  const buttonType = posting ? 'submit' : 'button'
  const [rows, setRows] = useState(() =>
    $form.get().draft.familyMembers.map((member, key) => ({ ...member, key, added: false })),
  )
  const full = rows.length >= FAMILY_MEMBERS_MAXIMUM

  function addFamilyMember() {
    if (full) return
    const key = Math.max(-1, ...rows.map((row) => row.key)) + 1
    setRows([...rows, { ...emptyMember, key, added: true }])
  }

  function removeFamilyMember(position: number) {
    setRows(rows.filter((_, index) => index !== position))
    removeMember($form, position)
    add.current?.focus()
  }

  return (
    <fieldset className="flow rsvp-form__family">
      <legend className="field__label">{t('Family Members')}</legend>
      <FieldError tabIndex={-1}>{errorOf('familyMembers')}</FieldError>
      {rows.map((row, position) => (
        <div className="member" key={row.key}>
          {!row.attending && <input type="hidden" name={`familyMembers.${position}.attending`} value="false" />}
          <Field
            label={t('Name')}
            error={errorOf(`familyMembers.${position}.name`)}
            name={`familyMembers.${position}.name`}
            aria-label={t('Name of family member {number}', { number: position + 1 })}
            autoComplete="off"
            enterKeyHint="next"
            defaultValue={row.name}
            onInput={({ currentTarget }: { currentTarget: { value: string } }) =>
              setRows((now) =>
                now.map((each) => (each.key === row.key ? { ...each, name: currentTarget.value } : each)),
              )
            }
            ref={row.added ? focusOnce : undefined}
          />
          <Button
            type={buttonType}
            variant="quiet"
            name="action"
            value={`remove-family-member:${position}`}
            formNoValidate={posting}
            aria-label={t('Remove family member {number}', { number: position + 1 })}
            onClick={() => removeFamilyMember(position)}
          >
            <Icon shape={trash} />
          </Button>
          <ChoiceGroup
            legend={t('Age Group')}
            label={t('Age group of {name}', {
              name: row.name.trim() || t('family member {number}', { number: position + 1 }),
            })}
            name={`familyMembers.${position}.age`}
            size="chips"
            clearable
            options={[
              { value: 'adult', label: t('Adult') },
              { value: 'teen', label: t('Teen') },
              { value: 'child', label: t('Child') },
            ]}
            initial={row.age}
            error={errorOf(`familyMembers.${position}.age`)}
          />
        </div>
      ))}
      <button
        ref={add}
        className="choice"
        type={buttonType}
        name="action"
        value="add-family-member"
        formNoValidate={posting}
        aria-disabled={full || undefined}
        onClick={addFamilyMember}
      >
        <Icon shape={plus} />
        {t('Add Family Member')}
      </button>
      <p role="status">{full && fullText()}</p>
    </fieldset>
  )
}

export function fullText(): string {
  return t('An RSVP has room for {maximum} family members. Submit another one for the rest.', {
    maximum: FAMILY_MEMBERS_MAXIMUM,
  })
}
