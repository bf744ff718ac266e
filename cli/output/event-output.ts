import type { EventPayload, TranslatedTexts } from '#db/event/schema.ts'
import type { VolunteerRole } from '#db/volunteer-role/schema.ts'
import type { Io } from '../io.ts'
import { printOutput } from './output.ts'
import { displayed, displayedLines } from './plain-text.ts'

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
]

/** Shows the texts of the event. */
export async function printEvent(event: EventPayload, json: true | undefined, io: Io): Promise<void> {
  const given = labels.filter(([key]) => event[key] !== undefined)
  return printTexts(
    event,
    given.map(([key, label]) => [label, event[key] ?? '']),
    json,
    io,
  )
}

/** Shows the texts of one language that are translated, and the names of roles. */
export async function printTranslation(
  translation: TranslatedTexts,
  known: VolunteerRole[],
  json: true | undefined,
  io: Io,
): Promise<void> {
  const { roles, ...texts } = translation
  const translated: Partial<EventPayload> = texts
  const named = known.map(({ id, name }): [string, string] => [`Role ${displayed(name)}`, roles[id] ?? ''])
  const given = [...textsOf(translated), ...named].filter(([, text]) => text !== '')
  return printTexts(translation, given, json, io)
}

function textsOf(event: Partial<EventPayload>): [string, string][] {
  return labels.map(([key, label]) => [label, event[key] ?? ''])
}

async function printTexts(value: object, texts: [string, string][], json: true | undefined, io: Io): Promise<void> {
  const shown = texts.map(([label, text]): [string, string] => [label, displayedLines(text)])
  const screen = async (width: number) => {
    const { renderTexts } = await import('../ui/LabelledTexts.tsx')
    return renderTexts(shown, width)
  }
  return printOutput(json, { value, rows: texts, screen }, io)
}
