import { readdir, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { recordAct } from '#db/audit/operations.ts'
import { fileOf } from '#db/config/places.ts'
import { removeAbandoned } from '#db/process/files.ts'
import { countRsvps } from '#db/rsvp/counts.ts'
import { csvDocument, exportFileName } from '#db/rsvp/csv.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { isSameFile, realPathOf } from '#db/storage/local-file.ts'
import type { Separator } from '#db/values/csv.ts'
import { dayText } from '#db/values/dates.ts'
import type { Context } from '../context.ts'
import { notFoundError, usageError } from '../exit-code.ts'
import { counted, print, printAll, say } from '../output/output.ts'
import { escapedText } from '../output/plain-text.ts'
import { writePrivateFile } from '../output/write-file.ts'
import {
  filterOf,
  type ResponseOptions,
  responsePages,
  responsesJson,
  withDateOfWeek,
} from '../responses/read-responses.ts'

/** With any of these, a file is neither the whole list nor that of one service, and is named differently. */
const filters = ['status', 'since', 'search', 'deleted', 'email'] as const

type Options = ResponseOptions & {
  out?: string
  keep?: number
  json?: true
  raw?: boolean
  separator?: Separator
  force?: true
}

export async function exportResponses(given: Options, context: Context): Promise<void> {
  const options = await withDateOfWeek(given, context)
  // Otherwise V8 keeps 100 MiB of pages that were written long ago before it collects them.
  setFlagsFromString('--semi-space-growth-factor=1')
  const file = options.out === '-' ? undefined : await placeOf(options, context)
  const { attending, notAttending } = await countRsvps(await filterOf(options), context.call)
  if (options.email !== undefined && attending + notAttending === 0) {
    throw notFoundError('Nothing is stored under that address.')
  }
  await recordAct({ action: 'responses exported' }, context.call)
  let count = 0

  async function* reported(pages: AsyncIterable<StoredRsvp[]>): AsyncGenerator<StoredRsvp[]> {
    for await (const page of pages) {
      context.signal.throwIfAborted()
      count += page.length
      yield page
    }
  }

  const pages = reported(responsePages(options, context.call))
  const pieces = options.json ? responsesJson(pages) : csvDocument(pages, options)
  if (file === undefined) return printShown(pieces, context)
  await removeAbandoned(dirname(await realPathOf(file)))
  await writePrivateFile(file, pieces, { replace: options.force === true })
  const removed = options.keep === undefined ? [] : await removeOlder(file, options.keep)
  const week = options.week === undefined ? '' : ` for ${dayText(options.week)}`
  // Cron mails whatever a command prints.
  if (context.quiet || !context.io.stderr.isTTY) return
  say(`Wrote ${counted(count, 'response')}${week} to ${file}`, context.io)
  if (removed.length > 0) say(`Removed ${counted(removed.length, 'older export')}.`, context.io)
}

/** Escapes control characters that visitors typed, but only on a terminal: a pipe gets the exact text. */
export async function printShown(pieces: AsyncIterable<string | Buffer>, { quiet, io }: Context): Promise<void> {
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
 * @throws CommandError 'usage' if it is the database file, if its ending is that of another format, or if --keep is
 * given without a folder.
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
  const [, name, ending] = /^(.*)(\.(?:csv|tsv|json|xlsx?|ods|numbers|pdf))$/i.exec(place) ?? []
  const written = json ? '.json' : '.csv'
  if (ending !== undefined && ending.toLowerCase() !== written) {
    const what = json ? 'With --json the file holds JSON' : 'The file holds CSV, which every spreadsheet opens'
    throw usageError(`${what}: name it ${basename(`${name}${written}`)}.`)
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
