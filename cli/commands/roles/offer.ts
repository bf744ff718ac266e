import { changeVolunteerRole } from '#db/rsvp/roles.ts'
import type { Context } from '../../context.ts'
import { findRole, reportRole } from '../../roles.ts'

/** Offers a retired role again. */
export async function run(word: string, options: { json?: true }, context: Context): Promise<void> {
  const { id } = await findRole(word, { retired: true }, context.call)
  const role = await changeVolunteerRole({ id: String(id), retired: false }, context.call)
  await reportRole(role, `${role.name} is offered again.`, options.json, context)
}
