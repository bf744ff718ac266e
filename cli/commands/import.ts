import { type Import, importRsvps, previewImport } from '#db/rsvp/import.ts'
import { FILE_MAXIMUM } from '#db/rsvp/read-csv.ts'
import { listVolunteerRoles } from '#db/rsvp/roles.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodeOf, exitCodes, failure, usageError } from '../exit-code.ts'
import { readGivenFile } from '../given.ts'
import { counted, hasTerminal, printJson, say } from '../output/output.ts'
import { confirm } from '../questions.ts'
import { sayExcessesOf } from './roles.ts'

type Options = { yes?: true; raw?: true; json?: true }

/** At most this many rows are listed, so that the summary stays on the screen. */
const NAMED_ROWS = 20

/** Says what the import would do, and does it once confirmed. */
export async function importResponses(name: string, { yes, raw, json }: Options, context: Context): Promise<void> {
  const { call, quiet, io, signal } = context
  const sent = { file: await readGivenFile(name, io, FILE_MAXIMUM), raw, signal }
  const preview = await previewImport(sent, call)
  const { added, misfits } = preview
  if (!quiet) say(previewText(preview), io)
  if (misfits.length > 0) {
    if (json) await printJson({ ...preview, imported: false }, io)
    throw failure(misfitsText(preview))
  }
  const isAsked = !yes && !json && hasTerminal(io)
  if (added > 0 && isAsked) await confirm(`Add ${counted(added, 'response')}?`, context)
  if (added === 0 || !(yes || isAsked)) {
    if (json) await printJson({ ...preview, imported: false }, io)
    if (added > 0) throw usageError('Nothing was changed: add --yes to import.')
    return
  }
  const done = await importRsvps(sent, call)
  if (!quiet) {
    say(`Added ${counted(done.added, 'response')}.`, io)
    for (const role of await listVolunteerRoles(call)) sayExcessesOf(role, context)
  }
  if (json) await printJson({ ...done, imported: true }, io)
  if (done.left > 0) {
    const sentence = `${counted(done.left, 'response is', 'responses are')} not added yet. Import the same file again to add the rest.`
    throw new CommandError(signal.aborted ? exitCodeOf(signal.reason) : exitCodes.failed, sentence)
  }
}

function previewText({ added, known, misfits }: Import): string {
  const there = counted(known.length, 'response exists', 'responses exist')
  const named = known.length === 0 ? '' : ` ${there} already: ${rowsText(known)}.`
  if (misfits.length > 0) return `${counted(misfits.length, 'row is', 'rows are')} invalid.`
  return `${counted(added, 'response is', 'responses are')} new.${named}`
}

/** E.g. `rows 2, 3, 17`. */
function rowsText(rows: number[]): string {
  const more = rows.length > NAMED_ROWS ? ' and more; --json names all' : ''
  return `${rows.length === 1 ? 'row' : 'rows'} ${rows.slice(0, NAMED_ROWS).join(', ')}${more}`
}

function misfitsText({ misfits }: Import): string {
  const lines = misfits.slice(0, NAMED_ROWS).map(({ row, sentences }) => `Row ${row}: ${sentences.join(' ')}`)
  if (misfits.length > NAMED_ROWS) lines.push(`And ${misfits.length - NAMED_ROWS} more.`)
  return [...lines, 'Nothing was imported. Correct the file, then import it again.'].join('\n')
}
