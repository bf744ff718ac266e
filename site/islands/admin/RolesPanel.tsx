import { useStore } from '@nanostores/react'
import { type SubmitEvent, useState } from 'react'
import { ROLE_NAME_MAXIMUM, type VolunteerRole } from '#db/volunteer-role/schema.ts'
import { useQuery } from '#site/lib/use-query.ts'
import {
  $volunteerRoles,
  $volunteerRolesQuery,
  createVolunteerRole,
  renameVolunteerRole,
  retireVolunteerRole,
} from '#site/stores/volunteer-roles.ts'
import { Button } from '#site/ui/Button.tsx'
import { ConfirmDialog } from '#site/ui/Dialog.tsx'
import { EmptyState } from '#site/ui/EmptyState.tsx'
import { Field } from '#site/ui/Field.tsx'
import { LoadingText } from '#site/ui/LoadingText.tsx'
import { Panel } from '#site/ui/Panel.tsx'

/** The roles that the form offers: rename, retire, add. */
export function RolesPanel({ rendered }: { rendered: VolunteerRole[] | null }) {
  const changed = useStore($volunteerRoles)
  const { data, error } = useQuery(rendered, $volunteerRolesQuery)
  const roles = changed ?? data
  const [retiring, setRetiring] = useState<VolunteerRole>()

  if (!roles) {
    return (
      <Panel title="Volunteer Roles">
        {error === undefined ? (
          <LoadingText>Loading roles...</LoadingText>
        ) : (
          <EmptyState
            icon="warning"
            action={
              <Button variant="secondary" onClick={() => $volunteerRolesQuery.reload()}>
                Try Again
              </Button>
            }
          >
            The roles could not be loaded.
          </EmptyState>
        )}
      </Panel>
    )
  }
  return (
    <Panel
      title="Volunteer Roles"
      description="What people can offer to do. A retired role stays on the responses that chose it."
    >
      <div className="roles-editor">
        {roles.map((role) => (
          <NameForm
            key={role.id}
            label={`Role ${role.name}`}
            name={role.name}
            submitLabel="Rename"
            onSubmit={(name) => renameVolunteerRole(roles, role.id, name)}
            onRetire={() => setRetiring(role)}
          />
        ))}
        <NameForm
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
        onConfirm={() => {
          if (retiring) retireVolunteerRole(roles, retiring.id)
          setRetiring(undefined)
        }}
      />
    </Panel>
  )
}

function NameForm({
  label,
  name,
  submitLabel,
  onSubmit,
  onRetire,
}: {
  label: string
  name: string
  submitLabel: string
  onSubmit: (name: string) => Promise<boolean>
  onRetire?: () => void
}) {
  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const typed = String(new FormData(form).get('name')).trim()
    if (typed === '' || typed === name) return
    if ((await onSubmit(typed)) && name === '') form.reset()
  }

  return (
    <form className="roles-editor__role" onSubmit={submit}>
      <Field label={label} labelHidden={name !== ''}>
        {(wiring) => (
          <input
            {...wiring}
            name="name"
            defaultValue={name}
            maxLength={ROLE_NAME_MAXIMUM}
            autoComplete="off"
            required
          />
        )}
      </Field>
      <Button type="submit" variant="secondary">
        {submitLabel}
      </Button>
      {onRetire && (
        <Button variant="quiet" aria-label={`Retire ${name}`} onClick={onRetire}>
          Retire
        </Button>
      )}
    </form>
  )
}
