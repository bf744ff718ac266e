import { type SubmitEvent, useState } from 'react'
import { type OfferedRole, ROLE_NAME_MAXIMUM } from '#db/volunteer-role/schema.ts'
import { listExcesses } from '#db/volunteer-role/texts.ts'
import { dayText } from '#site/texts/dates.ts'
import { said } from '#site/texts/said.ts'
import { t } from '#site/texts/texts.ts'
import { Button } from '#site/ui/Button.tsx'
import { Field } from '#site/ui/Field.tsx'

/** What an administrator types of a role; null is as many people as want to. */
type Typed = { name: string; needed: number | null }

/** A form that changes a role, or adds one. */
export function RoleForm({
  role,
  onSubmit,
  onRetire,
}: {
  role?: OfferedRole
  onSubmit: (typed: Typed) => Promise<boolean>
  onRetire?: () => void
}) {
  const [errors, setErrors] = useState<{ name?: string | undefined; needed?: string | undefined }>({})
  const [typed, setTyped] = useState<string>()
  const stored = role && textOf([role.name, String(role.needed ?? '')])
  // A new role can always be added: what is missing is said then.
  const isChanged = stored === undefined || (typed !== undefined && typed !== stored)

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const [name, count] = textsOf(form)
    const found = {
      name: name ? undefined : t('Give the role a name.'),
      needed: count && !/^[1-9]\d{0,2}$/.test(count) ? t('Give a number from 1 to 999, or leave it empty.') : undefined,
    }
    setErrors(found)
    if (!name || found.needed !== undefined) return
    const needed = count ? Number(count) : null
    const sent = new FormData(form)
    if (!(await onSubmit({ name, needed })) || role !== undefined) return
    // By now the next one may be typed.
    for (const input of form.querySelectorAll('input')) if (input.value === sent.get(input.name)) input.value = ''
  }

  return (
    <form
      className="roles-editor__role"
      onSubmit={submit}
      onInput={({ currentTarget }) => setTyped(textOf(textsOf(currentTarget)))}
      noValidate
    >
      <Field
        label={role ? t('Role {name}', { name: role.name }) : t('New role')}
        labelHidden={role !== undefined}
        error={errors.name}
      >
        {(wiring) => (
          <input {...wiring} name="name" defaultValue={role?.name} maxLength={ROLE_NAME_MAXIMUM} autoComplete="off" />
        )}
      </Field>
      <Field label={t('Needed each week')} error={errors.needed}>
        {(wiring) => (
          <input
            {...wiring}
            name="needed"
            aria-label={role && t('Needed each week: {name}', { name: role.name })}
            className="roles-editor__needed"
            inputMode="numeric"
            maxLength={3}
            defaultValue={role?.needed}
            autoComplete="off"
          />
        )}
      </Field>
      {isChanged && (
        <Button type="submit" variant="secondary" aria-label={role && t('Save {name}', { name: role.name })}>
          {role ? t('Save') : t('Add Role')}
        </Button>
      )}
      {role && onRetire && (
        <Button variant="quiet" aria-label={t('Retire {name}', { name: role.name })} onClick={onRetire}>
          {t('Retire')}
        </Button>
      )}
      {role &&
        listExcesses(role).map(({ date, text }) => (
          <p className="roles-editor__excess" key={date}>
            {dayText(date)}: {said(text)}.
          </p>
        ))}
    </form>
  )
}

/** The name and the number in the fields. */
function textsOf(form: HTMLFormElement): string[] {
  const fields = new FormData(form)
  return ['name', 'needed'].map((field) => String(fields.get(field)).trim())
}

function textOf(texts: string[]): string {
  return JSON.stringify(texts)
}
