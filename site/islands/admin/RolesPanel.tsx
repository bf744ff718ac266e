import { useRef, useState } from 'react'
import type { OfferedRole } from '#db/volunteer-role/schema.ts'
import { useChangeable } from '#site/lib/hooks/use-changeable.ts'
import {
  createVolunteerRole,
  retireVolunteerRole,
  saveVolunteerRole,
  volunteerRoles,
} from '#site/stores/admin/volunteer-roles.ts'
import { t } from '#site/texts/texts.ts'
import { ConfirmDialog } from '#site/ui/Dialog.tsx'
import { LoadFailed } from '#site/ui/LoadFailed.tsx'
import { LoadingText } from '#site/ui/LoadingText.tsx'
import { Panel } from '#site/ui/Panel.tsx'
import { RoleForm } from './RoleForm.tsx'

/** The panel in which an administrator adds, changes and retires volunteer roles. */
export function RolesPanel({ rendered }: { rendered: OfferedRole[] | null }) {
  const { data: roles, error } = useChangeable(rendered, volunteerRoles)
  const editor = useRef<HTMLDivElement>(null)
  const [retiring, setRetiring] = useState<OfferedRole>()

  async function retire(role: OfferedRole) {
    setRetiring(undefined)
    if (!(await retireVolunteerRole(roles ?? [], role))) return
    // Its row has gone, so the focus moves to the field for a new role.
    editor.current?.querySelector<HTMLElement>('form:last-child input')?.focus()
  }

  if (!roles) {
    return (
      <Panel title={t('Volunteer Roles')}>
        {error === undefined ? (
          <LoadingText>{t('Loading roles...')}</LoadingText>
        ) : (
          <LoadFailed onRetry={volunteerRoles.$resource.reload}>{t('The roles could not be loaded.')}</LoadFailed>
        )}
      </Panel>
    )
  }
  return (
    <Panel
      title={t('Volunteer Roles')}
      description={t(
        'What people can offer to do. Once as many as are needed offer it for a week, no one else can choose it for that week; empty is as many as want to. A retired role stays on the responses that chose it.',
      )}
    >
      <div className="roles-editor" ref={editor}>
        {roles.map((role) => (
          <RoleForm
            key={role.id}
            role={role}
            onSubmit={(typed) => saveVolunteerRole(roles, role, typed)}
            onRetire={() => setRetiring(role)}
          />
        ))}
        <RoleForm onSubmit={(typed) => createVolunteerRole(roles, typed)} />
      </div>
      <ConfirmDialog
        open={retiring !== undefined}
        title={t('Retire this role?')}
        message={t('{role} will no longer be offered. The responses that chose it keep it.', {
          role: retiring?.name ?? '',
        })}
        confirmLabel={t('Retire')}
        cancelLabel={t('Cancel')}
        onCancel={() => setRetiring(undefined)}
        onConfirm={() => retiring && retire(retiring)}
      />
    </Panel>
  )
}
