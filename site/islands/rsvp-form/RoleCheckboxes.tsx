import type { ReactNode } from 'react'

/** The roles to be ticked, as administrators see them, and visitors without JavaScript. */
export function RoleCheckboxes({
  className,
  roles,
  picked,
  children,
}: {
  className: string
  roles: { id: number; label: string; disabled?: boolean | undefined }[]
  /** Those that are ticked at first. */
  picked: number[]
  /** What stands below them. */
  children?: ReactNode
}) {
  return (
    <fieldset className={className}>
      <legend className="field__label">
        Volunteer Roles<span className="field__optional"> (optional)</span>
      </legend>
      {roles.map((role) => (
        <label className="checkbox" key={role.id}>
          <input
            className="checkbox__input"
            type="checkbox"
            name="volunteerRoles"
            value={role.id}
            disabled={role.disabled}
            defaultChecked={picked.includes(role.id)}
          />
          <span className="checkbox__label">{role.label}</span>
        </label>
      ))}
      {children}
    </fieldset>
  )
}
