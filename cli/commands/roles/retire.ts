import { changeVolunteerRole } from '#db/rsvp/roles.ts'
import type { Context } from '../../context.ts'
import { findRole, reportRole } from '../../roles.ts'

/** Stops offering a role. */
export async function run(word: string, options: { json?: true }, context: Context): Promise<void> {
  const { id } = await findRole(word, { retired: false }, context.call)
  const role = await changeVolunteerRole({ id: String(id), retired: true }, context.call)
  await reportRole(
    role,
    `${role.name} is no longer offered. \`rsvp roles offer ${id}\` brings it back.`,
    options.json,
    context,
  )
}
