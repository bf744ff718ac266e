import type { Church } from '#db/church/schema.ts'
import type { Io } from '../io.ts'
import { printOutput } from './output.ts'
import { displayedLines } from './plain-text.ts'

/** Shows what people recognize the church by. */
export async function printChurch(church: Church, json: true | undefined, io: Io): Promise<void> {
  const { name, accent, picture, pictureAlt } = church
  const largest = picture?.sizes.at(-1)
  const rows: [string, string][] = [
    ['Name', name ?? 'none'],
    ['Accent', accent ?? 'none'],
    ['Picture', largest === undefined ? 'none' : `${largest.width} × ${largest.height} pixels`],
    ['Picture shows', pictureAlt ?? 'none'],
  ]
  const screen = async (width: number) => {
    const { renderTexts } = await import('../ui/LabelledTexts.tsx')
    return renderTexts(
      rows.map(([label, text]) => [label, displayedLines(text)]),
      width,
    )
  }
  return printOutput(json, { value: church, rows, screen }, io)
}
