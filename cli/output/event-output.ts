import type { EventPayload } from '#db/event/schema.ts'
import type { Io } from '../io.ts'
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
export async function printEvent(event: EventPayload, json: true | undefined, io: Io): Promise<void> {
  const texts = labels.map(([key, label]): [string, string] => [label, event[key] ?? ''])
  switch (outputKind(json, io)) {
    case 'json':
      return printJson(event, io)
    case 'lines':
      return printRows(texts, io)
    case 'screen': {
      const { drawnTexts } = await import('../ui/LabelledTexts.tsx')
      return print(
        drawnTexts(
          texts.map(([label, text]) => [label, displayedLines(text)]),
          io.stdout.columns,
        ),
        io,
      )
    }
  }
}
