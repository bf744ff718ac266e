import { useLayoutEffect, useRef, useState } from 'react'
import { useHydrated } from '#site/lib/hooks/use-hydrated.ts'
import type { RoleChoice } from '#site/lib/role-choices.ts'
import { Button } from '#site/ui/Button.tsx'
import { Field } from '#site/ui/Field.tsx'
import { Icon } from '#site/ui/Icon.tsx'
import { cross } from '#site/ui/icons.ts'
import { RoleCheckboxes } from './RoleCheckboxes.tsx'

/** Roles that are picked one by one into a list; checkboxes without JavaScript. One that is filled cannot be picked. */
export function VolunteerRoles({
  picked,
  roles,
  error,
  onRemove,
}: {
  picked: number[]
  roles: RoleChoice[]
  error: string | undefined
  onRemove: () => void
}) {
  const hydrated = useHydrated()
  const [ids, setIds] = useState(picked)
  const select = useRef<HTMLSelectElement>(null)
  const nameOf = (id: number) => roles.find((role) => role.id === id)?.name ?? ''

  // Adopts what was picked before hydration: React's next render would reset it.
  useLayoutEffect(() => {
    const early = Number(select.current?.value)
    if (early) setIds((current) => [...current, early])
  }, [])

  function removeRole(id: number) {
    setIds(ids.filter((other) => other !== id))
    select.current?.focus()
    onRemove()
  }

  return (
    <div className="rsvp-form__section rsvp-form__roles">
      <Field label="Volunteer Roles" optional error={error}>
        {(wiring) => (
          <select
            {...wiring}
            ref={select}
            value=""
            onChange={(event) => setIds([...ids, Number(event.currentTarget.value)])}
          >
            <option value="" disabled>
              Choose a role
            </option>
            {roles.map((role) => (
              <option key={role.id} value={role.id} disabled={role.disabled}>
                {role.label ?? role.name}
              </option>
            ))}
          </select>
        )}
      </Field>
      {roles.some((role) => role.disabled) && <p>Already signed up? Use your private link.</p>}
      {!hydrated && (
        <RoleCheckboxes
          className="without-script"
          picked={picked}
          roles={roles.map((role) => ({
            ...role,
            label: role.filledFor ?? role.label ?? role.name,
            disabled: role.disabled && !role.filledFor,
          }))}
        />
      )}
      {hydrated && ids.length > 0 && (
        <ul className="picked" aria-label="Roles picked">
          {ids.map((id, position) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same role may be picked twice.
            <li className="picked__item" key={position}>
              <input type="hidden" name="volunteerRoles" value={id} />
              {nameOf(id)}
              <Button
                variant="quiet"
                className="picked__remove"
                aria-label={`Remove ${nameOf(id)}`}
                onClick={() => removeRole(id)}
              >
                <Icon shape={cross} />
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
