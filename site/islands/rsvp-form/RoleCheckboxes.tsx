import { RoleLabel } from '#site/islands/RoleName.tsx'

/** Roles to be ticked: for administrators, and for visitors until JavaScript runs. */
export function RoleCheckboxes({
  roles,
  picked,
}: {
  roles: { id: number; name: string; label: string; disabled?: boolean | undefined }[]
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
            disabled={role.disabled}
            defaultChecked={picked.includes(role.id)}
          />
          <RoleLabel text={role.label} name={role.name} />
        </label>
      ))}
    </div>
  )
}
