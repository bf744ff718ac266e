import { RoleCheckboxes } from '#site/islands/rsvp-form/RoleCheckboxes.tsx'
import type { entryRoles } from '#site/lib/entry-form.ts'
import { roleName } from '#site/texts/role-name.ts'
import { said } from '#site/texts/said.ts'
import { t } from '#site/texts/texts.ts'

/** What people offer to do. A role that is filled can be picked all the same: the clerk decides, and is told. */
export function EntryRoles({
  roles,
  picked,
  error,
}: {
  roles: ReturnType<typeof entryRoles>
  /** Those that are picked at first. */
  picked: number[]
  error: string | undefined
}) {
  const excesses = roles.flatMap(({ name, excess }) =>
    excess === undefined ? [] : [`${roleName(name)}: ${said(excess)}.`],
  )

  return (
    <fieldset className="entry__roles">
      <legend className="field__label">
        {t('Volunteer Roles')}
        <span className="field__optional"> {t('(optional)')}</span>
      </legend>
      <RoleCheckboxes roles={roles} picked={picked} />
      <p className="entry__excess" role="status">
        {excesses.length > 0 && `${excesses.join(' ')} ${t('You can save it all the same.')}`}
      </p>
      {error && <p className="field__error">{error}</p>}
    </fieldset>
  )
}
