import { changeVolunteerRole } from '#db/rsvp/roles.ts'
import type { Context } from '../../context.ts'
import { sayExcessesOf } from '../../responses/say-excesses.ts'
import { findRole, reportRole } from '../../roles.ts'

/** Changes how many people fill a role at one service. */
export async function run(
  word: string,
  { needed, json }: { needed: number | 'none'; json?: true },
  context: Context,
): Promise<void> {
  const { id } = await findRole(word, { retired: false }, context.call)
  const role = await changeVolunteerRole({ id: String(id), needed: needed === 'none' ? null : needed }, context.call)
  const count = needed === 'none' ? 'as many people as want to' : `${needed} ${needed === 1 ? 'person' : 'people'}`
  await reportRole(role, `${role.name} is for ${count} at each service now.`, json, context)
  if (!context.quiet) sayExcessesOf(role, context)
}
