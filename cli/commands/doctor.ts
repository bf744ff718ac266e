import { millisecondsInHour } from 'date-fns/constants'
import * as z from 'zod/mini'
import { givenPassword } from '#db/access/setup.ts'
import { checkBackupFolder, getLastBackup } from '#db/backup/create.ts'
import { maximumAge } from '#db/backup/due.ts'
import { restoreCommand } from '#db/backup/safeguards.ts'
import { findTroubleHere } from '#db/backup/trouble.ts'
import { type Config, findUnknownSettings } from '#db/config/config.ts'
import { fileOf, ownAddress, placeOf } from '#db/config/places.ts'
import { getMailState } from '#db/mail/queue.ts'
import { countRsvps } from '#db/rsvp/counts.ts'
import { findPurgeDoubt } from '#db/rsvp/purge.ts'
import { getSettings } from '#db/settings.ts'
import { errorCodeOf, UserError } from '#db/values/errors.ts'
import type { Context, Declare } from '../command.ts'
import { failure, sentencesOf } from '../errors.ts'
import { examples } from '../options.ts'
import { counted, printJson, printRows } from '../output.ts'

/** If it is not ok, the text says what to do. */
type Finding = { name: string; ok: boolean; text: string }
const fine = (name: string, text: string): Finding => ({ name, ok: true, text })
const wrong = (name: string, text: string): Finding => ({ name, ok: false, text })

/** The timeout of a health reply: the site itself may wait five seconds for a libSQL server. */
const HEALTH_TIMEOUT_MS = 7000

export const declare: Declare = (command, run) => {
  command
    .description(
      'Checks the settings, every page and table of the database, the last backup, whether the site replies at its ' +
        'address, and the mail. It repairs nothing: it exits with 1 if something is wrong, and says what to do.',
    )
    .option('--json', 'print a JSON array')
    .addHelpText('after', examples('rsvp doctor', 'rsvp doctor --quiet'))
    .action(
      run('nothing', async ({ json }, context) => {
        const findings = await examine(context)
        const shown = context.quiet ? findings.filter(({ ok }) => !ok) : findings
        const rows = shown.map(({ name, ok, text }) => [ok ? 'ok' : 'wrong', name, text])
        await (json ? printJson(shown, context.io) : printRows(rows, context.io))
        if (findings.some(({ ok }) => !ok)) throw failure('')
      }),
    )
}

/** Checks the settings first, because nothing else can be checked without them. */
async function examine(context: Context): Promise<Finding[]> {
  try {
    const config = context.readConfig()
    await givenPassword(config)
    const unknown = findUnknownSettings(context.io.env)
    const settings = { name: 'Settings', ok: unknown.length === 0, text: unknown.join(' ') || 'they are understood' }
    return [settings, ...(await examineDatabase(config, context))]
  } catch (error) {
    return [failed('Settings', error)]
  }
}

async function examineDatabase(config: Config, context: Context): Promise<Finding[]> {
  const { call } = context
  try {
    await context.openDatabase({ mustExist: true })
    const trouble = await findTroubleHere(placeOf(config.databaseUrl))
    if (trouble !== undefined) {
      const todo = `Stop the site and restore a backup: ${await restoreCommand(config.backupFolder)}`
      return [wrong('Database', `${trouble.sentence} ${todo}`), await examineAddress(config, null)]
    }
    const responses = await countRsvps({})
    const text = `${counted(responses, 'response')} in ${placeOf(config.databaseUrl)}, every page and table is whole`
    const doubt = await findPurgeDoubt(call)
    const publicUrl = config.publicUrl ?? (await getSettings()).publicUrl
    return [
      fine('Database', text),
      ...(doubt === undefined ? [] : [wrong('Clock', doubt)]),
      await examineBackup(config, context, responses),
      await examineAddress(config, publicUrl),
      ...(config.mail === undefined ? [] : [await examineMail(publicUrl, context)]),
    ]
  } catch (error) {
    return [failed('Database', error), await examineAddress(config, null)]
  }
}

async function examineBackup(config: Config, { call }: Context, responses: number): Promise<Finding> {
  const name = 'Backup'
  const { backupFolder, databaseUrl } = config
  const trouble = backupFolder && (await checkBackupFolder(backupFolder))
  if (trouble) return wrong(name, trouble)
  const last = await getLastBackup({ folder: backupFolder }, call)
  if (last === undefined) {
    if (responses === 0) return fine(name, 'none yet, and no response to save')
    return wrong(name, 'There is none: set BACKUP_DIR, or let cron run `rsvp backup --out FOLDER` every night.')
  }
  const age = call.now.getTime() - new Date(last.at).getTime()
  const made = `the last good one was made ${Math.floor(age / millisecondsInHour)} hours ago: ${last.file}`
  // A backup of a libSQL server may be on another machine.
  if (fileOf(databaseUrl) !== undefined && !last.present) {
    return wrong(name, `${made}, but it no longer exists: make another with \`rsvp backup\`.`)
  }
  if (age < 0) return wrong(name, `${last.file} is from the future: correct the clock, and run \`rsvp backup\`.`)
  return age <= maximumAge(backupFolder)
    ? fine(name, made)
    : wrong(name, `${made}. Run \`rsvp backup\`, and see why no newer one was made.`)
}

const healthReply = z.object({ detail: z.optional(z.string()) })

async function examineAddress({ host, port }: Config, publicUrl: string | null): Promise<Finding> {
  const address = publicUrl ?? ownAddress(host, port)
  try {
    const reply = await fetch(`${address}/api/health`, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) })
    const { detail = String(reply.status) } = healthReply.parse(await reply.json())
    return reply.ok ? fine('Address', `the site replies at ${address}`) : wrong('Address', `${address}: ${detail}`)
  } catch (error) {
    const code = error instanceof Error ? errorCodeOf(error.cause) : ''
    const todo = publicUrl === null ? 'Start it' : 'Start it, or look at its proxy, its name and its certificate'
    return wrong('Address', `From this computer no site replies at ${address}${code && ` (${code})`}. ${todo}.`)
  }
}

async function examineMail(publicUrl: string | null, { call }: Context): Promise<Finding> {
  if (publicUrl === null) return wrong('Mail', new UserError('mail-without-address').message)
  const { trouble, waiting, failed } = await getMailState(call)
  const text = `${counted(waiting, 'message')} waiting, ${failed.length} failed: see Settings › Server › Mail`
  return trouble === null ? fine('Mail', text) : wrong('Mail', `${text}. ${trouble.message}`)
}

function failed(name: string, error: unknown): Finding {
  return wrong(name, sentencesOf(error).join(' ').replaceAll('\n', ' '))
}
