import { type Import, importRsvps, previewImport } from '#db/rsvp/import/import.ts'
import { listVolunteerRoles } from '#db/volunteer-role/operations.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
import { readGivenFile } from '../given-file.ts'
import { counted } from '../output/counted.ts'
import { hasTerminal, printJson, say } from '../output/output.ts'
import { confirm } from '../questions/confirm.ts'
import { sayExcessesOf } from '../responses/say-excesses.ts'

type Options = { yes?: true; raw?: true; json?: true }

/** How many rows are named that do not fit; more would scroll away what is said of them all. */
const NAMED_ROWS = 20

/** Says what the import of a file would do, and does it once that is confirmed. */
export async function run(name: string, { yes, raw, json }: Options, context: Context): Promise<void> {
  const { call, quiet, io } = context
  const sent = { file: await readGivenFile(name, io), raw }
  const preview = await previewImport(sent, call)
  const { added, misfits } = preview
  if (!quiet) say(previewText(preview), io)
  if (misfits.length > 0) {
    if (json) await printJson({ ...preview, imported: false }, io)
    throw new CommandError(exitCodes.failed, misfitsText(preview))
  }
  const isAsked = !yes && !json && hasTerminal(io)
  if (added > 0 && isAsked) await confirm(`Add ${counted(added, 'response')}?`, context)
  if (added === 0 || !(yes || isAsked)) {
    if (json) await printJson({ ...preview, imported: false }, io)
    if (added > 0) throw new CommandError(exitCodes.usage, 'Nothing was changed: add --yes to import.')
    return
  }
  const done = await importRsvps(sent, call)
  if (!quiet) {
    say(`Added ${counted(done.added, 'response')}.`, io)
    for (const role of await listVolunteerRoles(call)) sayExcessesOf(role, context)
  }
  if (json) await printJson({ ...done, imported: true }, io)
}

function previewText({ added, known, misfits }: Import): string {
  const there = known === 0 ? '' : ` ${counted(known, 'response is', 'responses are')} there already.`
  if (misfits.length > 0) return `${counted(misfits.length, 'row does', 'rows do')} not fit.`
  return `${counted(added, 'response is', 'responses are')} new.${there}`
}

function misfitsText({ misfits }: Import): string {
  const lines = misfits.slice(0, NAMED_ROWS).map(({ row, sentences }) => `Row ${row}: ${sentences.join(' ')}`)
  if (misfits.length > NAMED_ROWS) lines.push(`And ${misfits.length - NAMED_ROWS} more.`)
  return [...lines, 'Nothing was imported. Correct the file, then import it again.'].join('\n')
}
