import { getRsvp } from '#db/rsvp/list.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { shownTimeZone } from '#db/schedule/read-schedule.ts'
import type { Context } from '../context.ts'
import { outputKind, printAll, printTexts } from '../output/output.ts'
import {
  type ResponseOptions,
  responseLine,
  responsePages,
  responsesJson,
  sayWeek,
  withDefaultWeek,
} from '../responses/read-responses.ts'
import { deletionText, detailsOf, responseColumns } from '../responses/shown.ts'
import type { Column } from '../ui/Table.tsx'

type Options = ResponseOptions & { json?: true; plain?: true }

export async function list({ json, plain, ...given }: Options, context: Context): Promise<void> {
  const options = await withDefaultWeek(given, context)
  const pages = () => responsePages(options, context.call)
  const kind = outputKind(json, context.io)
  // The screen cannot handle deleted responses.
  const isPrinted = plain || options.deleted || kind !== 'screen'
  if (isPrinted) sayWeek(options, context)
  if (kind === 'json') return printAll(responsesJson(pages()), context.io)
  const zone = await shownTimeZone()
  const whatHappened = options.deleted ? (response: StoredRsvp) => deletionText(response, zone) : undefined
  if (!context.io.stdout.isTTY) return printAll(linesOf(pages(), whatHappened), context.io)
  if (isPrinted) return printAll(tableOf(pages(), context.io.stdout.columns, zone, whatHappened), context.io)
  const { showResponses } = await import('../screens/responses/ResponsesScreen.tsx')
  const filtered = Object.values(options).some((filter) => filter !== undefined)
  await showResponses({ pages, purpose: 'look', filtered, week: options.week }, context)
}

type WhatHappened = ((response: StoredRsvp) => string) | undefined

async function* linesOf(pages: AsyncIterable<StoredRsvp[]>, whatHappened: WhatHappened): AsyncGenerator<string> {
  for await (const page of pages)
    yield page.map((response) => responseLine(response, whatHappened?.(response))).join('')
}

async function* tableOf(
  pages: AsyncIterable<StoredRsvp[]>,
  width: number,
  zone: string,
  whatHappened: WhatHappened,
): AsyncGenerator<string> {
  const { renderTable } = await import('../ui/Table.tsx')
  const id: Column<StoredRsvp> = { title: 'Id', text: (response) => String(response.id), least: 6, grow: 0 }
  const [name, ...others] = responseColumns(zone).filter(({ title }) => title !== 'Id')
  const happened = whatHappened && { title: 'What happened', text: whatHappened, least: 24, grow: 2 }
  const columns = [id, name, happened, ...others].filter((column) => column !== undefined)
  let isFirst = true
  for await (const page of pages) {
    const table = renderTable(page, columns, width)
    // Only the first page has the titles above it.
    yield isFirst ? table : table.slice(table.indexOf('\n') + 1)
    isFirst = false
  }
}

export async function show(id: string, options: { json?: true }, { call, io }: Context): Promise<void> {
  const value = await getRsvp({ id }, call)
  return printTexts(options.json, { value, texts: detailsOf(value, await shownTimeZone()) }, io)
}
