import type { EventPayload } from '#db/event/schema.ts'
import { outputKind, print, printJson, printRows } from './output.ts'
import { displayedLines } from './plain-text.ts'

const labels: [keyof EventPayload, string][] = [
  ['title', 'Title'],
  ['subtitle', 'Subtitle'],
  ['eventTitle', 'Event title'],
  ['description', 'Description'],
  ['date', 'Date'],
  ['time', 'Time'],
  ['location', 'Location'],
]

/** Shows the texts of the event. */
export async function printEvent(event: EventPayload, json: true | undefined): Promise<void> {
  const texts = labels.map(([key, label]): [string, string] => [label, event[key] ?? ''])
  switch (outputKind(json)) {
    case 'json':
      return printJson(event)
    case 'lines':
      return printRows(texts)
    case 'screen': {
      const { drawnTexts } = await import('../ui/LabelledTexts.tsx')
      return print(drawnTexts(texts.map(([label, text]) => [label, displayedLines(text)])))
    }
  }
}
