import type { EventPayload } from '#db/event/schema.ts'
import type { TranslatedTexts } from '#db/event/translation-schema.ts'
import type { Io } from '../io.ts'
import { printOutput } from './output.ts'
import { displayedLines } from './plain-text.ts'

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
  return printTexts(event, given, json, io)
}

/** Shows the texts of one language that are translated. */
export async function printTranslation(texts: TranslatedTexts, json: true | undefined, io: Io): Promise<void> {
  const translated: Partial<EventPayload> = texts
  const given = labels.filter(([key]) => translated[key])
  return printTexts(texts, given, json, io)
}

async function printTexts(
  event: Partial<EventPayload>,
  given: [keyof EventPayload, string][],
  json: true | undefined,
  io: Io,
): Promise<void> {
  const texts = given.map(([key, label]): [string, string] => [label, event[key] ?? ''])
  const shown = texts.map(([label, text]): [string, string] => [label, displayedLines(text)])
  const screen = async (width: number) => {
    const { renderTexts } = await import('../ui/LabelledTexts.tsx')
    return renderTexts(shown, width)
  }
  return printOutput(json, { value: event, rows: texts, screen }, io)
}
