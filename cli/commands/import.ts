import { resolve } from 'node:path'
import { Option } from '@commander-js/extra-typings'
import { type Import, importRsvps, previewImport } from '#db/rsvp/import.ts'
import { dateOrders, FILE_MAXIMUM } from '#db/rsvp/read-csv.ts'
import { openRegularFile } from '#db/storage/files.ts'
import { UserError } from '#db/values/errors.ts'
import type { Declare, Io } from '../command.ts'
import { CommandError, exitCodes, failure, usageError } from '../errors.ts'
import { examples } from '../options.ts'
import { confirm, counted, hasTerminal, printJson, say } from '../output.ts'

/** At most this many rows are listed, so that the summary stays on the screen. */
const NAMED_ROWS = 20

export const declare: Declare = (command, run) => {
  command
    .description(
      'Adds the responses from a file that `rsvp export` wrote, and keeps the times at which they came; or from another ' +
        'list, e.g. of Google Forms. It first says how many responses are new and which rows are invalid, and asks; ' +
        'without a terminal and without --yes it changes nothing and exits with 2. If one row is invalid, none is added; ' +
        'existing responses are listed and not added again. A file can have up to 5 MB and 5,000 rows.',
    )
    .argument('<file>', 'the CSV')
    .option('--yes', 'do not ask')
    .option('--map <title=column...>', 'what a column is: Name, Email, Status … or ignore, e.g. "Your name?=Name"')
    .addOption(new Option('--dates <order>', 'what comes first in dates such as 3/4/2026').choices(dateOrders))
    .option('--json', 'print how many are new, which rows exist already, and which are invalid')
    .addHelpText(
      'after',
      examples('rsvp import rsvps-2026-11-21.csv', 'rsvp import form.csv --map "Your name?=Name" "Coming?=Status"'),
    )
    .action(
      run('database', async (name, { yes, json, ...reading }, context) => {
        const { call, io } = context
        const isAsked = !yes && !json && hasTerminal(io)
        const sent = { ...reading, file: await readGivenFile(name, io) }
        const { ignored, isDated, ...preview } = await previewImport(sent, call)
        const { added, misfits } = preview
        for (const line of [...columnLines(ignored, isDated), previewText(preview)]) say(line, context)
        if (misfits.length > 0) {
          if (json) await printJson({ ...preview, imported: false }, io)
          throw failure(`${misfitsText(preview)}\nNothing was imported. Correct the file.`)
        }
        if (added > 0 && isAsked) await confirm(`Add ${counted(added, 'response')}?`, context)
        if (added === 0 || !(yes || isAsked)) {
          if (json) await printJson({ ...preview, imported: false }, io)
          if (added > 0) throw usageError('Nothing was changed: add --yes to import.')
          return
        }
        const done = await importRsvps(sent, call)
        say(`Added ${counted(done.added, 'response')}.`, context)
        if (json) await printJson({ ...preview, added: done.added, imported: true }, io)
      }),
    )
}

/**
 * Reads at most one byte more than an import accepts, so that the import refuses a larger file.
 * @throws CommandError 'notFound' if the file is missing, 'failed' if it cannot be read or is e.g. a pipe.
 */
async function readGivenFile(name: string, io: Io): Promise<Uint8Array> {
  const path = resolve(io.cwd(), name)
  try {
    const opened = await openRegularFile(path)
    return Buffer.concat(await Array.fromAsync(opened.createReadStream({ end: FILE_MAXIMUM })))
  } catch (error) {
    if (error instanceof UserError) throw failure(error.message)
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    const sentence = isMissing ? 'There is no such file' : 'The file cannot be read'
    throw new CommandError(isMissing ? exitCodes.notFound : exitCodes.failed, `${sentence}: ${path}`)
  }
}

function columnLines(ignored: string[], isDated: boolean): string[] {
  return [
    ...ignored.map((title) => `The column ${JSON.stringify(title)} is ignored; --map can say what it is.`),
    ...(isDated ? [] : ['There is no column Date: the responses get the time of this import.']),
  ]
}

function previewText({ added, known, misfits }: Pick<Import, 'added' | 'known' | 'misfits'>): string {
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
