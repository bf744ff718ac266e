import { createVolunteerRole } from '#db/volunteer-role/operations.ts'
import type { Context } from '../../context.ts'
import { reportRole } from '../../roles.ts'

/** Offers a new role. */
export async function run(name: string, options: { json?: true }, context: Context): Promise<void> {
  const role = await createVolunteerRole({ name }, context.call)
  await reportRole(role, `${role.name} is offered now.`, options.json, context)
}
