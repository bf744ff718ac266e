import { useRef, useState } from 'react'
import type { VolunteerRole } from '#db/volunteer-role/schema.ts'
import { useChangeable } from '#site/lib/hooks/use-changeable.ts'
import {
  createVolunteerRole,
  renameVolunteerRole,
  retireVolunteerRole,
  volunteerRoles,
} from '#site/stores/admin/volunteer-roles.ts'
import { ConfirmDialog } from '#site/ui/Dialog.tsx'
import { LoadFailed } from '#site/ui/LoadFailed.tsx'
import { LoadingText } from '#site/ui/LoadingText.tsx'
import { Panel } from '#site/ui/Panel.tsx'
import { RoleForm } from './RoleForm.tsx'

/** The panel in which an administrator adds, renames and retires volunteer roles. */
export function RolesPanel({ rendered }: { rendered: VolunteerRole[] | null }) {
  const { data: roles, error } = useChangeable(rendered, volunteerRoles)
  const editor = useRef<HTMLDivElement>(null)
  const [retiring, setRetiring] = useState<VolunteerRole>()

  async function retire(role: VolunteerRole) {
    setRetiring(undefined)
    if (!(await retireVolunteerRole(roles ?? [], role))) return
    // Its row has gone, so the focus moves to the field for a new role.
    editor.current?.querySelector<HTMLElement>('form:last-child input')?.focus()
  }

  if (!roles) {
    return (
      <Panel title="Volunteer Roles">
        {error === undefined ? (
          <LoadingText>Loading roles...</LoadingText>
        ) : (
          <LoadFailed onRetry={volunteerRoles.$resource.reload}>The roles could not be loaded.</LoadFailed>
        )}
      </Panel>
    )
  }
  return (
    <Panel
      title="Volunteer Roles"
      description="What people can offer to do. A retired role stays on the responses that chose it."
    >
      <div className="roles-editor" ref={editor}>
        {roles.map((role) => (
          <RoleForm
            key={role.id}
            label={`Role ${role.name}`}
            name={role.name}
            submitLabel="Rename"
            onSubmit={(name) => renameVolunteerRole(roles, role.id, name)}
            onRetire={() => setRetiring(role)}
          />
        ))}
        <RoleForm
          label="New role"
          name=""
          submitLabel="Add Role"
          onSubmit={(name) => createVolunteerRole(roles, name)}
        />
      </div>
      <ConfirmDialog
        open={retiring !== undefined}
        title="Retire this role?"
        message={`${retiring?.name} will no longer be offered. The responses that chose it keep it.`}
        confirmLabel="Retire"
        cancelLabel="Cancel"
        onCancel={() => setRetiring(undefined)}
        onConfirm={() => retiring && retire(retiring)}
      />
    </Panel>
  )
}
