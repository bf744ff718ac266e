import { open, rename, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Option } from '@commander-js/extra-typings'
import { recordAct } from '#db/audit.ts'
import { fileOf } from '#db/config/places.ts'
import { countRsvps } from '#db/rsvp/counts.ts'
import { csvDocument, exportFileName } from '#db/rsvp/csv.ts'
import { giveToOwner, removeAbandoned, renameToFree, syncFolder, withTemporaryFile } from '#db/storage/files.ts'
import { isSameFile, realPathOf } from '#db/storage/local-file.ts'
import { dayText } from '#db/values/dates.ts'
import type { StoredRsvp } from '#db/values/rsvp.ts'
import type { Context, Declare, Io } from '../command.ts'
import { explainFileError, failure, fileError, notFoundError, usageError } from '../errors.ts'
import { examples, notEmpty } from '../options.ts'
import { counted, print, sayAtTerminal } from '../output.ts'
import { escapedText } from '../plain-text.ts'
import { responsesJson } from '../response-texts.ts'
import { addSelectionOptions, dateOfWeek, filterOf, responsePages, type Selection } from '../selection.ts'

/** A file filtered by one of these options gets another name: it is neither the whole list nor that of one service. */
const filters = ['status', 'search', 'deleted', 'email'] as const

type Options = Selection & { out?: string | undefined; json?: true | undefined }

export const declare: Declare = (command, run) => {
  addSelectionOptions(command)
    .description(
      'Writes a CSV file for any spreadsheet, or JSON, readable by this account only. It never leaves a partial file ' +
        'behind, and replaces an existing one only with --force. In a folder, the file of one week is named ' +
        'rsvps-week-{day}; any other selection has -selection at the end of its name.',
    )
    .option(
      '--out <place>',
      'a file, a folder, or - for standard output (default: rsvps-{day}.csv in this folder)',
      notEmpty,
    )
    .option('--email <address>', 'all responses with this email address, including deleted ones', notEmpty)
    .addOption(new Option('--json', 'write JSON with every field instead of CSV').conflicts('raw'))
    .option('--raw', 'write texts that a spreadsheet would run or change as they are: for programs, not for people')
    .addOption(
      new Option('--separator <name>', 'what separates the cells: comma (default), semicolon or tab')
        .choices(['comma', 'semicolon', 'tab'] as const)
        .conflicts('json'),
    )
    .option('--force', 'replace an existing file')
    .addHelpText('after', examples('rsvp export --out /backups/', 'rsvp export --status attending --out - | wc -l'))
    .action(
      run('database', async ({ week: word, ...given }, context) => {
        const { call, io, signal } = context
        const week = word === undefined ? undefined : await dateOfWeek(word, context)
        const options = { ...given, week }
        // Otherwise V8 keeps up to 100 MiB of responses in memory that are written already.
        setFlagsFromString('--semi-space-growth-factor=1')
        const file = options.out === '-' ? undefined : await targetFile(options, context)
        if (options.email !== undefined && (await countRsvps(filterOf(options))) === 0)
          throw notFoundError('Nothing is stored under that address.')
        await recordAct({ action: 'responses exported' }, call)
        let count = 0

        async function* countPages(pages: AsyncIterable<StoredRsvp[]>): AsyncGenerator<StoredRsvp[]> {
          for await (const page of pages) {
            signal.throwIfAborted()
            count += page.length
            yield page
          }
        }

        const pages = countPages(responsePages(options, call))
        const pieces = options.json ? responsesJson(pages) : csvDocument(pages, options)
        if (file === undefined) return printShown(pieces, io)
        await removeAbandoned(dirname(await realPathOf(file)))
        await writePrivateFile(file, pieces, options.force === true)
        sayAtTerminal(`Wrote ${counted(count, 'response')}${week ? ` for ${dayText(week)}` : ''} to ${file}`, context)
      }),
    )
}

/** Escapes control characters that visitors typed, but only on a terminal: a pipe gets the exact text. */
async function printShown(pieces: AsyncIterable<string>, io: Io): Promise<void> {
  for await (const piece of pieces) await print(io.stdout.isTTY ? escapedText(piece) : piece, io)
}

/**
 * The file to write: --out or, if that is a folder, a file in it that is named after the day or the week. The name tells
 * a selection from the whole list, which it must never replace.
 * @throws CommandError 'usage' if it is the database file.
 */
async function targetFile(options: Options, { call, io, readConfig }: Context): Promise<string> {
  const { out = '.', json, week } = options
  const place = resolve(io.cwd(), out)
  const isFolder = out.endsWith('/') || (await stat(place).catch(() => undefined))?.isDirectory()
  const isSelection = filters.some((filter) => options[filter] !== undefined)
  if (isFolder) return join(place, await exportFileName(call.now, json ? 'json' : 'csv', { week, isSelection }))
  if (await isSameFile(place, fileOf(readConfig().databaseUrl) ?? ''))
    throw usageError(`${place} is the database itself: give another --out.`)
  return place
}

/**
 * Writes a file that only this account can read: first under a temporary name, then, once it is complete and synced to
 * disk, under its own. If that fails, an old file stays unchanged and no partial file is left. Root gives a new file to
 * the owner of the folder.
 * @throws CommandError 'failed' if it cannot be written, or exists and may not be replaced.
 * @public for its test.
 */
export async function writePrivateFile(path: string, pieces: AsyncIterable<string>, replace: boolean): Promise<void> {
  const file = await realPathOf(path)
  try {
    await withTemporaryFile(file, async (unfinished) => {
      await refuseTarget(file, replace)
      const made = await open(unfinished, 'wx', 0o600)
      try {
        await giveToOwner(made, [file, dirname(path)])
        for await (const piece of pieces) await made.writeFile(piece)
        await made.sync()
      } finally {
        await made.close()
      }
      if (replace) await rename(unfinished, file)
      else await renameToFree(unfinished, file)
      // Some folders, e.g. on a network share, cannot be synced.
      await syncFolder(dirname(file)).catch(() => undefined)
    })
  } catch (error) {
    throw explainFileError(error, file)
  }
}

/** Refuses before the responses are read. Another process may still create the file after that. */
async function refuseTarget(file: string, replace: boolean): Promise<void> {
  const present = await stat(file).catch(() => undefined)
  if (present === undefined) return
  if (present.isDirectory()) throw fileError('EISDIR', file)
  if (!present.isFile()) throw failure(`${file} is not a regular file: use --out - and a redirection.`)
  if (!replace) throw fileError('EEXIST', file)
}
