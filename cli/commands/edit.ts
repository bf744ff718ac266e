import { changeRsvp } from '#db/rsvp/entry.ts'
import { getRsvp } from '#db/rsvp/list.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
import { printJson, say } from '../output/output.ts'
import { type EntryOptions, entryFrom } from '../responses/entry-options.ts'
import { sayExcesses } from '../responses/say-excesses.ts'

/** Changes what is given of a response. */
export async function run(id: string, given: EntryOptions & { json?: true }, context: Context): Promise<void> {
  const { json, ...options } = given
  const change = await entryFrom(options, context)
  if (Object.keys(change).length === 0) {
    throw new CommandError(exitCodes.usage, 'Say what to change, e.g. `rsvp edit 12 --phone "555 0101"`.')
  }
  await changeRsvp({ id, ...change }, context.call)
  const stored = await getRsvp({ id }, context.call)
  if (json) await printJson(stored, context.io)
  else if (!context.quiet) say(`Changed response ${id}.${familyLeft(stored, change)}`, context.io)
  if (!context.quiet) await sayExcesses(stored, context)
}

/** Who stays away may have a family that is expected all the same. */
function familyLeft({ attending, familyMembers }: StoredRsvp, change: { attending?: boolean }): string {
  const count = familyMembers.filter((member) => member.attending).length
  if (change.attending === undefined || attending || count === 0) return ''
  return ` Still expected of the family: ${count}. Say with --family who of them comes.`
}
