import { createVolunteerRole } from '#db/volunteer-role/operations.ts'
import type { Context } from '../../context.ts'
import { reportRole } from '../../roles.ts'

/** Offers a new role. */
export async function run(
  name: string,
  { needed, json }: { needed?: number | 'none'; json?: true },
  context: Context,
): Promise<void> {
  const role = await createVolunteerRole({ name, needed: needed === 'none' ? null : needed }, context.call)
  await reportRole(role, `${role.name} is offered now.`, json, context)
}
