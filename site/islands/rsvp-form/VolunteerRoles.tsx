import { useId, useLayoutEffect, useRef, useState } from 'react'
import { RoleName } from '#site/islands/RoleName.tsx'
import { useHydrated } from '#site/lib/hooks/use-hydrated.ts'
import type { RoleChoice } from '#site/lib/role-choices.ts'
import { roleName } from '#site/texts/role-name.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Icon } from '#site/ui/Icon.tsx'
import { check, cross, plus, warning } from '#site/ui/icons.ts'
import { RoleCheckboxes } from './RoleCheckboxes.tsx'

/** Roles that are picked one by one into a list; checkboxes without JavaScript. One that is filled cannot be picked. */
export function VolunteerRoles({
  picked,
  roles,
  error,
  onPick,
}: {
  picked: number[]
  roles: RoleChoice[]
  error: string | undefined
  /** Called when a role was picked or removed. */
  onPick: () => void
}) {
  const hydrated = useHydrated()
  // A draft may be older than what is offered now.
  const [ids, setIds] = useState(() => picked.filter((id) => roles.some((role) => role.id === id)))
  const errorId = useId()
  const group = useRef<HTMLFieldSetElement>(null)
  const nameOf = (id: number) => roles.find((role) => role.id === id)?.name ?? ''

  // Adopts what was ticked before hydration, which takes the checkboxes away.
  useLayoutEffect(() => {
    const boxes = Array.from(group.current?.querySelectorAll<HTMLInputElement>('[type=checkbox]') ?? [])
    if (boxes.length > 0) setIds(boxes.filter((box) => box.checked).map((box) => Number(box.value)))
  }, [])

  function change(changed: number[]) {
    setIds(changed)
    onPick()
  }

  function removeRole(id: number) {
    change(ids.filter((other) => other !== id))
    group.current?.querySelector<HTMLElement>(`[data-role="${id}"]`)?.focus()
  }

  return (
    <fieldset className="rsvp-form__section rsvp-form__roles" ref={group} aria-describedby={error && errorId}>
      <legend className="rsvp-form__legend">
        {t('Volunteer Roles')}
        <span className="field__optional"> {t('(optional)')}</span>
      </legend>
      {hydrated ? (
        <div className="chips" role="toolbar" data-arrows>
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
              <Icon shape={ids.includes(id) ? check : plus} />
              <RoleName name={name} state={state} />
            </button>
          ))}
        </div>
      ) : (
        <RoleCheckboxes picked={picked} roles={roles} />
      )}
      {error && (
        <p className="field__error" id={errorId} tabIndex={-1}>
          <Icon shape={warning} />
          {error}
        </p>
      )}
      {roles.some((role) => role.disabled) && <p>{t('Already signed up? Use your private link.')}</p>}
      {hydrated && ids.length > 0 && (
        <ul className="picked" aria-label={t('Roles picked')}>
          {ids.map((id, position) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same role may be picked twice.
            <li className="picked__item" key={position}>
              <input type="hidden" name="volunteerRoles" value={id} />
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
