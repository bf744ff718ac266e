import { examineBackup } from '#db/backup/copy.ts'
import { fileOf } from '#db/config/places.ts'
import { transferTo } from '#db/transfer/transfer.ts'
import type { Context } from '../context.ts'
import { usageError } from '../exit-code.ts'
import { counted, printJson, say } from '../output/output.ts'

const titles = { copy: 'Copying', compare: 'Comparing' }

export async function transfer(
  url: string,
  { force = false, json }: { force?: boolean; json?: true },
  context: Context,
) {
  const { databaseUrl, databaseAuthToken: authToken } = context.readConfig()
  const file = fileOf(databaseUrl)
  if (file === undefined) {
    const sentence = 'DATABASE_URL is a server already. Give the file to copy with --db, e.g. --db file:./data/rsvp.db.'
    throw usageError(sentence)
  }
  // The file may be a backup that someone else made.
  await examineBackup(file, file)
  await context.openDatabase({ mustExist: true })
  const isWatched = !context.quiet && context.io.stderr.isTTY
  const watcher = {
    begin: (step: keyof typeof titles, total: number) => {
      if (isWatched) say(`${titles[step]} ${counted(total, 'row')}.`, context.io)
    },
    done: () => {},
  }
  const rows = await transferTo({ file, url, authToken, force }, watcher, context.signal)
  if (json) return printJson({ url, rows }, context.io)
  if (context.quiet) return
  const all = Object.values(rows).reduce((sum, count) => sum + count, 0)
  const things = [
    counted(rows.rsvps ?? 0, 'response'),
    counted(rows.family_members ?? 0, 'family member'),
    counted(rows.volunteer_roles ?? 0, 'volunteer role'),
    counted(rows.audit_entries ?? 0, 'line of the audit', 'lines of the audit'),
  ]
  const tables = Object.keys(rows).length
  say(`Copied ${things.join(', ')} and all settings to ${url}, deleted responses included.`, context.io)
  say(`Compared ${all} rows of ${tables} tables: all are the same. ${file} stays as it was.`, context.io)
  say(`Set DATABASE_URL=${url} in .env and restart the site.`, context.io)
  if (force)
    say(
      'Restart now: responses that arrive before the restart are stored in the file only, not on the server.',
      context.io,
    )
}
