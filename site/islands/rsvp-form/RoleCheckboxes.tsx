import { RoleName } from '#site/islands/RoleName.tsx'
import type { RoleChoice } from '#site/lib/role-choices.ts'

/** Roles to be ticked: for administrators, and for visitors until JavaScript runs. */
export function RoleCheckboxes({
  roles,
  picked,
}: {
  roles: (Pick<RoleChoice, 'id' | 'name' | 'disabled' | 'filledFor'> & { state?: string | undefined })[]
  /** Those that are ticked at first. */
  picked: number[]
}) {
  return (
    <div className="chips">
      {roles.map((role) => (
        <label className="choice" key={role.id}>
          <input
            className="choice__input"
            type="checkbox"
            name="volunteerRoles"
            value={role.id}
            disabled={role.disabled && !role.filledFor}
            defaultChecked={picked.includes(role.id)}
          />
          <RoleName name={role.name} state={role.filledFor ?? role.state} />
        </label>
      ))}
    </div>
  )
}
