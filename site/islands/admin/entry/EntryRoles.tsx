import { RoleCheckboxes } from '#site/islands/rsvp-form/RoleCheckboxes.tsx'
import type { entryRoles } from '#site/lib/entry-form.ts'

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
  const excesses = roles.flatMap(({ name, excess }) => (excess === undefined ? [] : [`${name}: ${excess}.`]))

  return (
    <fieldset className="entry__roles">
      <legend className="field__label">
        Volunteer Roles<span className="field__optional"> (optional)</span>
      </legend>
      <RoleCheckboxes roles={roles} picked={picked} />
      <p className="entry__excess" role="status">
        {excesses.length > 0 && `${excesses.join(' ')} You can save it all the same.`}
      </p>
      {error && <p className="field__error">{error}</p>}
    </fieldset>
  )
}
