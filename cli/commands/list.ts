import { deleteRsvps } from '#db/rsvp/delete.ts'
import { shownTimeZone } from '#db/schedule.ts'
import { dayText } from '#db/values/dates.ts'
import type { StoredRsvp } from '#db/values/rsvp.ts'
import { cellsOf } from '#db/values/rsvp-fields.ts'
import type { Context, Declare } from '../command.ts'
import { examples } from '../options.ts'
import { outputKind, printAll, sayAtTerminal, tabSeparated } from '../output.ts'
import { deletionText, responseColumns, responsesJson } from '../response-texts.ts'
import { addSelectionOptions, DEFAULT_WEEK_HELP, responsePages, type Selection, withDefaultWeek } from '../selection.ts'
import type { Column } from '../ui/Table.tsx'

export const declare: Declare = (command, run) => {
  addSelectionOptions(command)
    .description(
      'Shows the responses, newest first. A terminal gets a screen to search, read and delete them; a pipe gets a ' +
        `line for each, with the cells of the CSV separated by tabs. ${DEFAULT_WEEK_HELP}`,
    )
    .option('--plain', 'print a table instead of the screen; no effect in a pipe')
    .option('--json', 'print a JSON array')
    .addHelpText('after', examples('rsvp list --week this', 'rsvp list --search cole --json | jq length'))
    .action(
      run('database', async ({ json, plain, ...given }, context) => {
        const options = await withDefaultWeek(given, context)
        const { call, io } = context
        const kind = outputKind(json, io)
        // The screen cannot handle deleted responses.
        if (kind === 'screen' && !plain && !options.deleted) return showOnScreen(options, context)
        if (options.week !== undefined) sayAtTerminal(`For ${dayText(options.week)}:`, context)
        const pages = responsePages(options, call)
        if (kind === 'json') return printAll(responsesJson(pages), io)
        const zone = await shownTimeZone()
        const deletion = options.deleted && ((response: StoredRsvp) => deletionText(response, zone))
        const { isTTY, columns } = io.stdout
        await printAll(isTTY ? tableOf(pages, columns, zone, deletion) : linesOf(pages, deletion), io)
      }),
    )
}

/** Shows the responses on the whole terminal, until the user quits. */
export async function showOnScreen(options: Selection, context: Context): Promise<void> {
  const { call, io, signal } = context
  const { draw } = await import('../ui/draw.tsx')
  const { ResponsesScreen } = await import('../ui/ResponsesScreen.tsx')
  const props = {
    responses: (await Array.fromAsync(responsePages(options, call))).flat(),
    week: options.week,
    zone: await shownTimeZone(),
    // The screen may stay open for days, so that `call.now` would be too early.
    remove: (ids: number[]) => deleteRsvps({ ids }, { ...call, now: new Date() }),
  }
  await draw(ResponsesScreen, props, { io, signal, fullScreen: true })
}

/** Makes the text of one more column, for deleted responses. */
type Deletion = ((response: StoredRsvp) => string) | undefined

async function* linesOf(pages: AsyncIterable<StoredRsvp[]>, deletion: Deletion): AsyncGenerator<string> {
  const cells = (response: StoredRsvp) => [...cellsOf(response), ...(deletion ? [deletion(response)] : [])]
  for await (const page of pages) yield page.map((response) => tabSeparated(cells(response))).join('')
}

async function* tableOf(pages: AsyncIterable<StoredRsvp[]>, width: number, zone: string, deletion: Deletion) {
  const { renderTable } = await import('../ui/Table.tsx')
  const columns: Column<StoredRsvp>[] = responseColumns(zone).map((column) => ({ ...column, optional: undefined }))
  if (deletion) columns.splice(2, 0, { title: 'What happened', text: deletion, minWidth: 24, grow: 2 })
  let isFirst = true
  for await (const page of pages) {
    const table = renderTable(page, columns, width)
    // Only the first page has the titles above it.
    yield isFirst ? table : table.slice(table.indexOf('\n') + 1)
    isFirst = false
  }
}
