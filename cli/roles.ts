import type { Call } from '#db/operation.ts'
import { listEveryVolunteerRole } from '#db/volunteer-role/operations.ts'
import type { VolunteerRole } from '#db/volunteer-role/schema.ts'
import type { Context } from './context.ts'
import { CommandError, exitCodes } from './exit-code.ts'
import { printJson, say } from './output/output.ts'

/**
 * The role that a word on the command line means: its number, or its name in any capitalization. Where an old
 * role and one that is offered share the name, `retired` says which is meant.
 * @throws CommandError 'not found' when there is none, 'usage' when several roles have the name.
 */
export async function findRole(word: string, { retired }: { retired: boolean }, call: Call): Promise<VolunteerRole> {
  const roles = await listEveryVolunteerRole(call)
  const numbered = roles.find(({ id }) => word === String(id))
  if (numbered !== undefined) return numbered
  const named = roles.filter(({ name }) => name.toLowerCase() === word.trim().toLowerCase())
  const likely = named.filter((role) => role.retired === retired)
  const [role, ...others] = likely.length > 0 ? likely : named
  if (role === undefined) throw noSuchRole(word)
  if (others.length === 0) return role
  throw new CommandError(exitCodes.usage, 'Several roles have that name: give a number from `rsvp roles list`.')
}

function noSuchRole(word: string): CommandError {
  return new CommandError(exitCodes.notFound, `There is no role ${JSON.stringify(word)}: see \`rsvp roles list\`.`)
}

/** Prints the new state of a role. */
export async function reportRole(
  role: VolunteerRole,
  sentence: string,
  json: true | undefined,
  { quiet, io }: Context,
) {
  if (json) await printJson(role, io)
  else if (!quiet) say(sentence, io)
}
