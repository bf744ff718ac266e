import { useId, useLayoutEffect, useRef, useState } from 'react'
import { RoleName } from '#site/islands/RoleName.tsx'
import { useHydrated } from '#site/lib/hooks.ts'
import type { RoleChoice } from '#site/lib/role-choices.ts'
import { checkChanged, type RsvpFormStore } from '#site/stores/rsvp-form.ts'
import { roleName, t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { FieldError, Optional } from '#site/ui/Field.tsx'
import { cross, Icon } from '#site/ui/Icon.tsx'

/** Roles picked into a list, or checkboxes without JavaScript. A role that is filled cannot be picked. */
export function VolunteerRoles({
  $form,
  roles,
  own,
  error,
}: {
  $form: RsvpFormStore
  roles: RoleChoice[]
  /** Whether it is the form of a private link. */
  own: boolean | undefined
  error: string | undefined
}) {
  const hydrated = useHydrated()
  const picked = $form.get().draft.volunteerRoles
  // A draft may contain roles that are no longer offered.
  const [ids, setIds] = useState(() => picked.filter((id) => roles.some((role) => role.id === id)))
  const errorId = useId()
  const group = useRef<HTMLFieldSetElement>(null)
  const nameOf = (id: number) => roles.find((role) => role.id === id)?.name ?? ''

  // Adopts what was ticked before hydration, because hydration removes the checkboxes.
  useLayoutEffect(() => {
    const boxes = Array.from(group.current?.querySelectorAll<HTMLInputElement>('[type=checkbox]') ?? [])
    if (boxes.length > 0) setIds(boxes.filter((box) => box.checked).map((box) => Number(box.value)))
  }, [])

  function change(changed: number[]) {
    setIds(changed)
    checkChanged($form, [], 'volunteerRoles')
  }

  function removeRole(id: number) {
    change(ids.filter((other) => other !== id))
    group.current?.querySelector<HTMLElement>(`[data-role="${id}"]`)?.focus()
  }

  return (
    <fieldset className="column rsvp-form__roles" ref={group} aria-describedby={error && errorId}>
      <legend className="field__label">
        {t('Volunteer Roles')}
        <Optional />
      </legend>
      {hydrated ? (
        <div className="chips">
          {roles.map(({ id, name, state, disabled }) => (
            <button
              key={id}
              type="button"
              className="choice"
              data-role={id}
              aria-pressed={ids.includes(id)}
              aria-disabled={disabled || undefined}
              onClick={() => disabled || change([...ids, id])}
            >
              <RoleName name={name} state={state} />
            </button>
          ))}
        </div>
      ) : (
        <RoleCheckboxes picked={picked} roles={roles} />
      )}
      <FieldError id={errorId} tabIndex={-1}>
        {error}
      </FieldError>
      {!own && roles.some((role) => role.disabled) && (
        <p className="rsvp-form__note">{t('Already signed up? Use your private link.')}</p>
      )}
      {ids.length > 0 && (
        <ul className="picked needs-script" aria-label={t('Roles picked')}>
          {ids.map((id, position) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same role may be picked twice.
            <li className="picked__item" key={position}>
              {hydrated && <input type="hidden" name="volunteerRoles" value={id} />}
              <RoleName name={nameOf(id)} />
              <Button
                variant="quiet"
                className="picked__remove"
                aria-label={t('Remove {name}', { name: roleName(nameOf(id)) })}
                onClick={() => removeRole(id)}
              >
                <Icon shape={cross} />
              </Button>
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  )
}

/** For administrators and until JavaScript runs. Nothing is disabled: a role filled at one service may be needed at another. */
export function RoleCheckboxes({
  roles,
  picked,
}: {
  roles: { id: number; name: string; state?: string | undefined }[]
  picked: number[]
}) {
  return (
    <div className="chips">
      {roles.map(({ id, name, state }) => (
        <label className="choice" key={id}>
          <input
            className="choice__input"
            type="checkbox"
            name="volunteerRoles"
            value={id}
            defaultChecked={picked.includes(id)}
          />
          <RoleName name={name} state={state} />
        </label>
      ))}
    </div>
  )
}
