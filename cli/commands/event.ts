import { ifFound, UserError } from '#db/errors.ts'
import { defaultEvent } from '#db/event/default-event.ts'
import { changeEventTexts, getEvent } from '#db/event/operations.ts'
import { toPayload } from '#db/event/payload.ts'
import type { EventPayload, TranslatedTexts } from '#db/event/schema.ts'
import {
  findEventTranslation,
  getEventTranslation,
  removeEventTranslation,
  saveEventTranslation,
} from '#db/event/translations.ts'
import type { Call } from '#db/operation.ts'
import { listEveryVolunteerRole } from '#db/volunteer-role/operations.ts'
import type { Context } from '../context.ts'
import { usageError } from '../exit-code.ts'
import { printTexts } from '../output/output.ts'
import { displayed } from '../output/plain-text.ts'
import { findRole } from './roles.ts'

type Options = Partial<EventPayload> & { language?: string; role?: string[]; remove?: true; json?: true }

const labels: [keyof EventPayload, string][] = [
  ['title', 'Title'],
  ['subtitle', 'Subtitle'],
  ['eventTitle', 'Event title'],
  ['description', 'Description'],
  ['date', 'Date'],
  ['time', 'Time'],
  ['location', 'Location'],
  ['mapLink', 'Map link'],
  ['contact', 'Contact'],
  ['whatToExpect', 'What to expect'],
  ['parking', 'Parking'],
  ['children', 'Children'],
]

/** Shows the texts of the invitation as visitors read them, or changes those that are given; also in one language. */
export async function event(options: Options, context: Context): Promise<void> {
  const { language, role, remove, json, ...texts } = options
  const { call, quiet } = context
  const isGiven = role !== undefined || Object.keys(texts).length > 0
  if (remove && isGiven) throw usageError('Give texts, or --remove, not both.')
  if (language === undefined) {
    if (remove || role) throw usageError('Say in which language, e.g. `--language es`.')
    if (!isGiven) return printEvent(await readEvent(call), json, context)
    const { event: changed } = await changeEventTexts(texts, call)
    if (json || !quiet) await printEvent(changed, json, context)
    return
  }
  if (remove) return removeEventTranslation({ language }, call)
  if (isGiven) return translate(language, options, context)
  const { texts: translated } = await findEventTranslation({ language }, call)
  await printEvent({ ...(await readEvent(call)), ...translated }, json, context)
}

/** The texts as visitors read them. */
export async function readEvent(call: Call): Promise<EventPayload> {
  return (await getEvent(call)) ?? toPayload(defaultEvent)
}

async function translate(language: string, options: Options, context: Context): Promise<void> {
  const { language: _, role, remove: __, json, mapLink, ...texts } = options
  const { call, quiet } = context
  if (mapLink !== undefined) throw usageError('The map link is the same in every language.')
  const stored = await ifFound(getEventTranslation({ language }, call))
  const condition = stored === undefined ? { onlyIfNone: true } : { onlyIfRevision: [stored.revision] }
  const roles = { ...stored?.texts.roles, ...(await rolesIn(role, call)) }
  const saved = await saveEventTranslation({ ...stored?.texts, ...texts, roles, language, ...condition }, call)
  if (json || !quiet) await printTranslation(saved.texts, json, context)
}

/** Parses e.g. `Greeter=Bienvenida` into names by role id. */
async function rolesIn(given: string[] = [], call: Call): Promise<TranslatedTexts['roles']> {
  const named = given.map(async (text) => {
    const [, word, name = ''] = /^(.+?)=(.*)$/s.exec(text) ?? []
    if (word === undefined)
      throw new UserError('invalid', 'Give --role as the role, =, and its name in this language: "Greeter=Bienvenida".')
    return [(await findRole(word, { retired: false }, call)).id, name]
  })
  return Object.fromEntries(await Promise.all(named))
}

function printEvent(event: EventPayload, json: true | undefined, { io }: Context): Promise<void> {
  return printTexts(json, { value: event, texts: textsOf(event) }, io)
}

async function printTranslation(value: TranslatedTexts, json: true | undefined, { call, io }: Context): Promise<void> {
  const { roles, ...texts } = value
  const known = await listEveryVolunteerRole(call)
  const named = known.map(({ id, name }): [string, string] => [`Role ${displayed(name)}`, roles[id] ?? ''])
  const given = [...textsOf(texts), ...named].filter(([, text]) => text !== '')
  await printTexts(json, { value, texts: given }, io)
}

function textsOf(event: Partial<EventPayload>): [string, string][] {
  return labels.flatMap(([key, label]) => (event[key] === undefined ? [] : [[label, event[key]]]))
}
