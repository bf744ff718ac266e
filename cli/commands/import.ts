import { COUNTED_TITLE } from '#db/rsvp/csv.ts'
import { type CsvFile, type Import, importRsvps, previewImport } from '#db/rsvp/import.ts'
import { FILE_MAXIMUM } from '#db/rsvp/read-csv.ts'
import type { Context } from '../context.ts'
import { failure, usageError } from '../exit-code.ts'
import { readGivenFile } from '../given.ts'
import { counted, hasTerminal, printJson, say } from '../output/output.ts'
import { confirm } from '../questions.ts'

type Options = Omit<CsvFile, 'file'> & { yes?: true; json?: true }

/** At most this many rows are listed, so that the summary stays on the screen. */
const NAMED_ROWS = 20

/** Says what the import would do, and does it once confirmed. */
export async function importResponses(name: string, options: Options, context: Context): Promise<void> {
  const { yes, json, ...reading } = options
  const { call, quiet, io } = context
  const isAsked = !yes && !json && hasTerminal(io)
  const sent = { ...reading, file: await readGivenFile(name, io, FILE_MAXIMUM) }
  const { columns, ...preview } = await previewImport(sent, call)
  const { added, misfits } = preview
  if (!quiet) for (const line of [...columnLines(columns), previewText(preview)]) say(line, io)
  if (misfits.length > 0 && !sent.skipBad) {
    if (json) await printJson({ ...preview, imported: false }, io)
    throw failure(
      `${misfitsText(preview)}\nNothing was imported. Correct the file, or add --skip-bad to import the rest.`,
    )
  }
  if (misfits.length > 0 && !quiet) say(misfitsText(preview), io)
  if (added > 0 && isAsked) await confirm(`Add ${counted(added, 'response')}?`, context)
  if (added === 0 || !(yes || isAsked)) {
    if (json) await printJson({ ...preview, imported: false }, io)
    if (added > 0) throw usageError('Nothing was changed: add --yes to import.')
    return
  }
  const done = await importRsvps(sent, call)
  if (!quiet) say(`Added ${counted(done.added, 'response')}.`, io)
  if (json) await printJson({ ...preview, added: done.added, imported: true }, io)
}

/** What the columns become; nothing for those of `rsvp export`. */
function columnLines(columns: Import['columns']): string[] {
  if (columns.every(({ title, becomes }) => title === becomes || title === COUNTED_TITLE)) return []
  const isDated = columns.some(({ field }) => field === 'createdAt')
  return [
    ...columns
      .filter(({ title }) => title !== '')
      .map(({ title, becomes }) => `${JSON.stringify(title)} ${becomes ? `becomes ${becomes}` : 'is ignored'}.`),
    ...(isDated ? [] : ['No column becomes Date: the responses get the time of this import.']),
  ]
}

function previewText({ added, known, misfits }: Omit<Import, 'columns'>): string {
  const there = counted(known.length, 'response exists', 'responses exist')
  const named = known.length === 0 ? '' : ` ${there} already: ${rowsText(known)}.`
  const invalid = misfits.length === 0 ? '' : ` ${counted(misfits.length, 'row is', 'rows are')} invalid.`
  return `${counted(added, 'response is', 'responses are')} new.${named}${invalid}`
}

/** E.g. `rows 2, 3, 17`. */
function rowsText(rows: number[]): string {
  const more = rows.length > NAMED_ROWS ? ' and more; --json names all' : ''
  return `${rows.length === 1 ? 'row' : 'rows'} ${rows.slice(0, NAMED_ROWS).join(', ')}${more}`
}

function misfitsText({ misfits }: Pick<Import, 'misfits'>): string {
  const lines = misfits.slice(0, NAMED_ROWS).map(({ row, sentences }) => `Row ${row}: ${sentences.join(' ')}`)
  if (misfits.length > NAMED_ROWS) lines.push(`And ${misfits.length - NAMED_ROWS} more.`)
  return lines.join('\n')
}
