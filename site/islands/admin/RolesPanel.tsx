import { useRef } from 'react'
import { typedNumber } from '#db/values/numbers.ts'
import { type OfferedRole, ROLE_NAME_MAXIMUM } from '#db/values/volunteer-role.ts'
import type { AdminPage } from '#site/lib/admin-page.ts'
import type { Refuse } from '#site/stores/admin/attempt.ts'
import { useChangeable } from '#site/stores/admin/changeable.ts'
import {
  createVolunteerRole,
  retireVolunteerRole,
  saveVolunteerRole,
  type TypedRole,
  volunteerRoles,
} from '#site/stores/admin/settings.ts'
import { excessText } from '#site/texts/administration.ts'
import { dayText } from '#site/texts/dates.ts'
import { t } from '#site/texts/texts.ts'
import { Field } from '#site/ui/Field.tsx'
import { LoadedPanel } from '#site/ui/Panel.tsx'
import { Form, Submit, useForm } from './Form.tsx'
import { AskingButton } from './Listed.tsx'

export function RolesPanel({ admin }: { admin: AdminPage }) {
  const editor = useRef<HTMLDivElement>(null)

  async function retire(role: OfferedRole) {
    if (!(await retireVolunteerRole(role))) return
    // The row disappears, so the focus moves to the field for a new role.
    editor.current?.querySelector<HTMLElement>('.roles-editor__new input')?.focus()
  }

  return (
    <LoadedPanel
      id="roles"
      title={t('Volunteer Roles')}
      description={t('Once enough people offer a role for a week, no one else can choose it. Empty means no limit.')}
      reading={useChangeable(admin.roles, volunteerRoles)}
    >
      {(roles) => (
        <div ref={editor}>
          {roles.length > 0 && (
            <div className="stack roles-editor">
              <p className="flow flow--apart field__hint roles-editor__head" aria-hidden="true">
                <span>{t('Role')}</span> <span>{t('Needed each week')}</span>
              </p>
              {roles.map((role) => (
                <RoleForm
                  key={role.id}
                  role={role}
                  onSubmit={(typed, refuse) => saveVolunteerRole(role, typed, refuse)}
                  onRetire={() => retire(role)}
                />
              ))}
            </div>
          )}
          <RoleForm onSubmit={createVolunteerRole} />
        </div>
      )}
    </LoadedPanel>
  )
}

function RoleForm({
  role,
  onSubmit,
  onRetire,
}: {
  role?: OfferedRole
  onSubmit: (typed: TypedRole, refuse: Refuse) => Promise<boolean>
  onRetire?: () => void
}) {
  const form = useForm(async (text, refuse) => {
    const [name, count] = [text('name').trim(), text('needed').trim()]
    if (!name) return refuse(t('Give the role a name.'), 'name')
    const needed = count ? typedNumber(count) : null
    if (needed !== null && !(needed >= 1 && needed <= 999))
      return refuse(t('Give a number from 1 to 999, or leave it empty.'), 'needed')
    return (await onSubmit({ name, needed }, refuse)) && role === undefined
  })

  return (
    <Form of={form} className={role ? 'roles-editor__role' : 'flow part roles-editor__new'}>
      <Field
        label={role ? t('Role {name}', { name: role.name }) : t('New role')}
        labelHidden={role !== undefined}
        name="name"
        defaultValue={role?.name}
        maxLength={ROLE_NAME_MAXIMUM}
        autoComplete="off"
      />
      <Field
        label={t('Needed each week')}
        labelHidden={role !== undefined}
        name="needed"
        aria-label={role && t('Needed each week: {name}', { name: role.name })}
        inputMode="numeric"
        maxLength={3}
        defaultValue={role?.needed}
        autoComplete="off"
      />
      <Submit variant="secondary" aria-label={role && t('Save {name}', { name: role.name })}>
        {role ? t('Save') : t('Add Role')}
      </Submit>
      {role && onRetire && (
        <AskingButton
          variant="quiet"
          aria-label={t('Retire {name}', { name: role.name })}
          title={t('Retire this role?')}
          question={t('{role} will no longer be offered. The responses that chose it keep it.', { role: role.name })}
          onConfirm={onRetire}
        >
          {t('Retire')}
        </AskingButton>
      )}
      {Object.entries(role?.filled ?? {})
        .map(([date, people]) => [date, excessText(people, role?.needed)])
        .filter(([, text]) => text)
        .map(([date = '', text]) => (
          <p className="roles-editor__excess" key={date}>
            {dayText(date)}: {text}.
          </p>
        ))}
    </Form>
  )
}
