import { recordAct } from '#db/audit/operations.ts'
import type { Call } from '#db/operation.ts'
import { addRsvp } from '#db/rsvp/entry.ts'
import { getRsvp } from '#db/rsvp/list.ts'
import { membersFrom } from '#db/rsvp/read-texts.ts'
import { createSampleRsvps, hasRealRsvps } from '#db/rsvp/sample.ts'
import { listEveryVolunteerRole } from '#db/volunteer-role/operations.ts'
import type { VolunteerRole } from '#db/volunteer-role/schema.ts'
import type { Context } from '../context.ts'
import { failure, notFoundError, usageError } from '../exit-code.ts'
import { hasTerminal, printJson, say } from '../output/output.ts'
import { dateOfWeek } from '../responses/read-responses.ts'

const questions = [
  { key: 'name', label: 'Name:' },
  { key: 'family', label: 'Family, e.g. Joel Cole (child); Dina Cole:' },
  { key: 'phone', label: 'Phone:' },
  { key: 'email', label: 'Email:' },
  { key: 'message', label: 'Message:' },
] as const

type EntryOptions = {
  name?: string
  email?: string
  phone?: string
  message?: string
  attending?: boolean
  family?: string
  role?: string[]
  week?: string
}

/** How many samples one write stores. */
const SAMPLES_AT_ONCE = 50

/** Samples are dated evenly over the last four weeks. */
const PERIOD_MS = 28 * 24 * 60 * 60 * 1000

type AddOptions = EntryOptions & { samples?: number; force?: true; json?: true }

/** Adds a response that came by telephone or on paper, asking for it if no name is given; or adds samples. */
export async function add({ samples, force, json, ...options }: AddOptions, context: Context): Promise<void> {
  if (samples !== undefined) return addSamples(samples, force, context)
  const asked = options.name === undefined ? await askFor(options, context) : options
  const entry = await entryFrom(asked, context)
  const { id } = await addRsvp({ attending: true, ...entry }, context.call)
  const stored = await getRsvp({ id: String(id) }, context.call)
  if (json) await printJson(stored, context.io)
  else if (!context.quiet) say(`Added response ${id}.`, context.io)
}

/** Only the fields whose options are given. */
async function entryFrom({ family, role, week, attending, ...texts }: EntryOptions, context: Context) {
  const serviceDate = week === undefined ? undefined : await dateOfWeek(week, context)
  const roles = role?.filter((word) => word.trim() !== '')
  const found = roles && (await Promise.all(roles.map((word) => findRole(word, context.call))))
  return {
    ...texts,
    ...(attending !== undefined && { attending }),
    ...(family !== undefined && { familyMembers: membersFrom(family) }),
    ...(found !== undefined && { volunteerRoles: found.map(({ id }) => id) }),
    ...(serviceDate !== undefined && { serviceDate }),
  }
}

async function askFor(options: EntryOptions, { io, signal }: Context): Promise<EntryOptions> {
  if (!hasTerminal(io)) throw usageError('Give a name, e.g. `rsvp add --name "Ana Cole"`.')
  const { askForText } = await import('../ui/ask-line.ts')
  const asked = { ...options }
  for (const { key, label } of questions) {
    if (asked[key] !== undefined) continue
    const refusal = (input: string) => (key === 'name' && input === '' ? 'A response needs a name.' : undefined)
    asked[key] = await askForText({ label, preset: '', refusal }, { io, signal })
  }
  return asked
}

async function addSamples(count: number, force: true | undefined, context: Context): Promise<void> {
  const { call, quiet, io } = context
  if (!force && (await hasRealRsvps(call))) {
    throw failure('The database already has responses. Add --force to add samples beside them, or use another --db.')
  }
  const end = call.now.getTime()
  let made = 0
  while (made < count && !context.signal.aborted) {
    const places = Array.from({ length: Math.min(SAMPLES_AT_ONCE, count - made) }, (_, place) => made + place + 1)
    const moments = places.map((place) => new Date(end - PERIOD_MS * (1 - place / count)).toISOString())
    await createSampleRsvps(moments, call)
    made += moments.length
  }
  await recordAct({ action: 'samples added', subject: String(made) }, call)
  if (!quiet) say(`Added ${made} sample responses. \`rsvp delete --samples\` removes them again.`, io)
}

/**
 * Finds a role by its id, or by its name in any capitalization; one that is offered before a retired one.
 * @throws CommandError 'not found'.
 */
async function findRole(word: string, call: Call): Promise<VolunteerRole> {
  const stored = (await listEveryVolunteerRole(call)).toSorted((a, b) => Number(a.retired) - Number(b.retired))
  const name = word.trim().toLowerCase()
  const found =
    stored.find((role) => word === String(role.id)) ?? stored.find((role) => role.name.toLowerCase() === name)
  if (found !== undefined) return found
  throw notFoundError(`There is no role ${JSON.stringify(word)}: see Settings, Volunteer Roles.`)
}
