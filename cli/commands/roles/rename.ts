import { changeVolunteerRole } from '#db/rsvp/roles.ts'
import type { Context } from '../../context.ts'
import { findRole, reportRole } from '../../roles.ts'

/** Gives a role another name. */
export async function run(word: string, name: string, options: { json?: true }, context: Context): Promise<void> {
  const { id, name: before } = await findRole(word, { retired: false }, context.call)
  const role = await changeVolunteerRole({ id: String(id), name }, context.call)
  await reportRole(role, `${before} is called ${role.name} now.`, options.json, context)
}
