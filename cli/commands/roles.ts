import type { Call } from '#db/operation.ts'
import { changeVolunteerRole } from '#db/rsvp/roles.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { listFilledRoles } from '#db/rsvp/sheet.ts'
import { dayText } from '#db/values/dates.ts'
import { createVolunteerRole, listEveryVolunteerRole } from '#db/volunteer-role/operations.ts'
import type { OfferedRole, StoredVolunteerRole, VolunteerRole } from '#db/volunteer-role/schema.ts'
import { excessText, listExcesses } from '#db/volunteer-role/texts.ts'
import type { Context } from '../context.ts'
import { notFoundError, usageError } from '../exit-code.ts'
import { printJson, printTable, say } from '../output/output.ts'
import { displayed } from '../output/plain-text.ts'
import type { Column } from '../ui/Table.tsx'

type Change = { name?: string; needed?: number | 'none'; retire?: true; offer?: true }
type Options = Change & { add?: true; json?: true }

const columns: Column<StoredVolunteerRole>[] = [
  { title: 'Id', text: ({ id }) => String(id), least: 4, grow: 0 },
  { title: 'Role', text: ({ name }) => displayed(name), least: 20, grow: 1 },
  { title: 'State', text: stateText, least: 8, grow: 0 },
  { title: 'Needed', text: neededText, least: 6, grow: 0 },
]

/** Shows every role, including retired ones; or adds or changes one. */
export async function roles(word: string | undefined, options: Options, context: Context): Promise<void> {
  const { add, json, ...change } = options
  const { call, quiet, io } = context
  const isGiven = Object.keys(change).length > 0
  if (word === undefined) {
    if (add || isGiven) throw usageError('Say which role, e.g. `rsvp roles Greeter --needed 3`.')
    const cells = (role: StoredVolunteerRole) => [role.id, role.name, stateText(role), neededText(role)]
    return printTable(json, { things: await listEveryVolunteerRole(call), cells, columns }, io)
  }
  if (!add && !isGiven) {
    throw usageError('Say what to change, e.g. `rsvp roles Greeter --needed 3`.')
  }
  const { role, sentences } = add ? await addRole(word, change, call) : await changeRole(word, change, call)
  if (json) await printJson(role, io)
  if (quiet) return
  if (!json) for (const sentence of sentences) say(sentence, io)
  if (change.needed !== undefined) sayExcessesOf(role, context)
}

type Changed = { role: OfferedRole; sentences: string[] }

async function addRole(name: string, { needed, ...others }: Change, call: Call): Promise<Changed> {
  if (Object.keys(others).length > 0) throw usageError('With --add give --needed or nothing.')
  const role = await createVolunteerRole({ name, needed: needed === 'none' ? null : needed }, call)
  return { role, sentences: [`${role.name} is offered now.`] }
}

async function changeRole(word: string, { name, needed, retire, offer }: Change, call: Call): Promise<Changed> {
  const { id, name: before } = await findRole(word, { retired: offer === true }, call)
  const role = await changeVolunteerRole(
    {
      id: String(id),
      ...(name !== undefined && { name }),
      ...(needed !== undefined && { needed: needed === 'none' ? null : needed }),
      ...((retire || offer) && { retired: retire === true }),
    },
    call,
  )
  const count = needed === 'none' ? 'as many people as want to' : `${needed} ${needed === 1 ? 'person' : 'people'}`
  return {
    role,
    sentences: [
      ...(name === undefined ? [] : [`${before} is called ${role.name} now.`]),
      ...(needed === undefined ? [] : [`${role.name} is for ${count} at each service now.`]),
      ...(retire ? [`${role.name} is no longer offered. \`rsvp roles ${id} --offer\` offers it again.`] : []),
      ...(offer ? [`${role.name} is offered again.`] : []),
    ],
  }
}

/**
 * Finds a role by its id, or by its name in any capitalization. If a retired role and an offered one share the name,
 * `retired` says which one.
 * @throws CommandError 'not found', or 'usage' if several roles have the name.
 */
export async function findRole(word: string, { retired }: { retired: boolean }, call: Call): Promise<VolunteerRole> {
  const stored = await listEveryVolunteerRole(call)
  const numbered = stored.find(({ id }) => word === String(id))
  if (numbered !== undefined) return numbered
  const named = stored.filter(({ name }) => name.toLowerCase() === word.trim().toLowerCase())
  const likely = named.filter((role) => role.retired === retired)
  const [role, ...others] = likely.length > 0 ? likely : named
  if (role === undefined) {
    throw notFoundError(`There is no role ${JSON.stringify(word)}: see \`rsvp roles\`.`)
  }
  if (others.length === 0) return role
  throw usageError('Several roles have that name: give a number from `rsvp roles`.')
}

/** As `--needed` takes it. */
function neededText({ needed }: StoredVolunteerRole): string {
  return needed === null ? 'none' : String(needed)
}

function stateText({ retired }: StoredVolunteerRole): string {
  return retired ? 'retired' : 'offered'
}

/** Says which roles of a response have more people than they need: administrators may exceed it, and are told. */
export async function sayExcesses({ attending, serviceDate, volunteerSignups }: StoredRsvp, { call, io }: Context) {
  if (!attending || volunteerSignups.length === 0) return
  for (const { id, name, people, needed } of await listFilledRoles({ week: serviceDate }, call)) {
    const excess = excessText(people.length, needed)
    if (excess !== undefined && volunteerSignups.some(({ role }) => role.id === id))
      say(`${name} on ${dayText(serviceDate)}: ${excess}.`, io)
  }
}

/** The same for one role, at each of the next services. */
export function sayExcessesOf(role: OfferedRole, { io }: Context) {
  for (const { date, text } of listExcesses(role)) say(`${role.name} on ${dayText(date)}: ${text}.`, io)
}
