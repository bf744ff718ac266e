import { type SubmitEvent, useState } from 'react'
import { ROLE_NAME_MAXIMUM } from '#db/volunteer-role/schema.ts'
import { Button } from '#site/ui/Button.tsx'
import { Field } from '#site/ui/Field.tsx'

/** A form that renames a role, or adds one if `name` is empty. */
export function RoleForm({
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
  const [error, setError] = useState<string>()

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const typed = String(new FormData(form).get('name')).trim()
    setError(typed === '' ? 'Give the role a name.' : undefined)
    if (typed === '' || typed === name) return
    if ((await onSubmit(typed)) && name === '') form.reset()
  }

  return (
    <form className="roles-editor__role" onSubmit={submit} noValidate>
      <Field label={label} labelHidden={name !== ''} error={error}>
        {(wiring) => (
          <input {...wiring} name="name" defaultValue={name} maxLength={ROLE_NAME_MAXIMUM} autoComplete="off" />
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
