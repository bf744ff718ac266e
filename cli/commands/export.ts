import { readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { Option } from '@commander-js/extra-typings'
import { recordAct } from '#db/audit/operations.ts'
import { fileOf } from '#db/config/places.ts'
import { removeAbandoned } from '#db/process/files.ts'
import { countRsvps } from '#db/rsvp/counts.ts'
import { csvDocument, exportFileName } from '#db/rsvp/csv.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { isSameFile, realPathOf } from '#db/storage/local-file.ts'
import { dayText } from '#db/values/dates.ts'
import { type Context, type Declare, examples, notEmpty, wholeNumber } from '../command.ts'
import { notFoundError, usageError } from '../exit-code.ts'
import { counted, print, printAll, say } from '../output.ts'
import { escapedText } from '../plain-text.ts'
import { dateOfWeek, filterOf, responsePages, responsesJson, type Selection, selecting } from '../responses.ts'
import { writePrivateFile } from '../write-file.ts'

/** With any of these, a file is neither the whole list nor that of one service, and is named differently. */
const filters = ['status', 'search', 'deleted', 'email'] as const

type Options = Selection & { out?: string | undefined; keep?: number | undefined; json?: true | undefined }

export const declare: Declare = (command, run) => {
  selecting(command)
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
    .option('--keep <number>', 'keep this many exports in the folder, and remove older ones', wholeNumber)
    .option('--raw', 'write texts that a spreadsheet would run or change as they are: for programs, not for people')
    .addOption(
      new Option('--separator <name>', 'what separates the cells: comma (default), semicolon or tab')
        .choices(['comma', 'semicolon', 'tab'] as const)
        .conflicts('json'),
    )
    .option('--force', 'replace an existing file')
    .addHelpText(...examples('rsvp export --out /backups/ --keep 14', 'rsvp export --status attending --out - | wc -l'))
    .action(
      run('database', async ({ week: word, ...given }, context) => {
        const { call, io, quiet, signal } = context
        const week = word === undefined ? undefined : await dateOfWeek(word, context)
        const options = { ...given, week }
        // Otherwise V8 keeps 100 MiB of pages that were written long ago before it collects them.
        setFlagsFromString('--semi-space-growth-factor=1')
        const file = options.out === '-' ? undefined : await placeOf(options, context)
        const { attending, notAttending } = await countRsvps(filterOf(options), call)
        if (options.email !== undefined && attending + notAttending === 0)
          throw notFoundError('Nothing is stored under that address.')
        await recordAct({ action: 'responses exported' }, call)
        let count = 0

        async function* reported(pages: AsyncIterable<StoredRsvp[]>): AsyncGenerator<StoredRsvp[]> {
          for await (const page of pages) {
            signal.throwIfAborted()
            count += page.length
            yield page
          }
        }

        const pages = reported(responsePages(options, call))
        const pieces = options.json ? responsesJson(pages) : csvDocument(pages, options)
        if (file === undefined) return printShown(pieces, context)
        await removeAbandoned(dirname(await realPathOf(file)))
        await writePrivateFile(file, pieces, { replace: options.force === true })
        const removed = options.keep === undefined ? [] : await removeOlder(file, options.keep)
        // Cron mails whatever a command prints.
        if (quiet || !io.stderr.isTTY) return
        say(`Wrote ${counted(count, 'response')}${week === undefined ? '' : ` for ${dayText(week)}`} to ${file}`, io)
        if (removed.length > 0) say(`Removed ${counted(removed.length, 'older export')}.`, io)
      }),
    )
}

/** Escapes control characters that visitors typed, but only on a terminal: a pipe gets the exact text. */
async function printShown(pieces: AsyncIterable<string | Buffer>, { quiet, io }: Context): Promise<void> {
  if (!io.stdout.isTTY) return printAll(pieces, io)
  let changed = false
  for await (const piece of pieces) {
    const text = piece.toString()
    const shown = escapedText(text)
    changed ||= shown !== text
    await print(shown, io)
  }
  if (changed && !quiet) say('Control characters are shown as \\u001b here. A pipe or a file gets them unchanged.', io)
}

/**
 * The file to write: --out or, if that is a folder, a file in it named after the day or the week; a selection gets
 * another name, so that it never replaces the whole list.
 * @throws CommandError 'usage' if it is the database file, or if --keep is given without a folder.
 */
async function placeOf(options: Options, { call, io, readConfig }: Context): Promise<string> {
  const { out = '.', json, keep, week } = options
  const place = resolve(io.cwd(), out)
  const isFolder = out.endsWith('/') || (await stat(place).catch(() => undefined))?.isDirectory()
  const isSelection = filters.some((filter) => options[filter] !== undefined)
  if (isFolder) return join(place, await exportFileName(call.now, json ? 'json' : 'csv', { week, isSelection }))
  if (await isSameFile(place, fileOf(readConfig().databaseUrl) ?? '')) {
    throw usageError(`${place} is the database itself: give another --out.`)
  }
  if (keep !== undefined) {
    throw usageError('With --keep give a folder as --out: older exports in it are removed.')
  }
  return place
}

/** Keeps the newest `keep` of the files whose names differ only in the day; files of future days are not touched. */
async function removeOlder(file: string, keep: number): Promise<string[]> {
  const withoutDay = (name: string) => name.replace(/\d{4}-\d\d-\d\d/, 'DAY')
  const [folder, own] = [dirname(file), basename(file)]
  const same = (await readdir(folder)).filter((name) => name <= own && withoutDay(name) === withoutDay(own))
  const older = same.sort().reverse().slice(keep)
  for (const name of older) await rm(join(folder, name), { force: true })
  return older
}
