import type { StoredRsvp } from '#db/rsvp/schema.ts'
import type { Context } from '../context.ts'
import { deleteResponses } from '../delete-responses.ts'
import { jsonArray, outputKind, printAll } from '../output.ts'
import { type ResponseOptions, responseLine, responsePages } from '../responses.ts'

/** Shows the responses: a screen to work with, or lines, or JSON. */
export async function run(options: ResponseOptions & { json?: true }, context: Context): Promise<void> {
  const pages = responsePages(options, context.call)
  // The screen works with responses that are there; these are only to be read and restored.
  const kind = options.deleted && !options.json ? 'lines' : outputKind(options.json)
  if (kind === 'json') return printAll(jsonArray(pages))
  if (kind === 'lines') return printAll(linesOf(pages))
  const { showResponses } = await import('../screens/show-responses.tsx')
  const filtered = Object.keys(options).length > 0
  const remove = (...targets: [ids: number[], report: (done: number) => void]) => deleteResponses(...targets, context)
  await showResponses({ pages, purpose: 'look', filtered, remove }, context)
}

async function* linesOf(pages: AsyncIterable<StoredRsvp[]>): AsyncGenerator<string> {
  for await (const page of pages) yield page.map(responseLine).join('')
}
