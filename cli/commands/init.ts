import { readFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'
import { isGuardedBy, openModeRefusal } from '#db/access/at-start.ts'
import { setPassword } from '#db/access/setup.ts'
import type { Config } from '#db/config/config.ts'
import { readConfig } from '#db/config/config.ts'
import { envFile, fileOf, isNew, placeOf } from '#db/config/places.ts'
import { UserError } from '#db/errors.ts'
import { changeEventTexts } from '#db/event/operations.ts'
import { changeSchedule } from '#db/rsvp/service-dates.ts'
import { getSchedule } from '#db/schedule/operations.ts'
import { clockText, weekdayText } from '#db/schedule/texts.ts'
import type { Context } from '../context.ts'
import { failure, usageError } from '../exit-code.ts'
import { changeEnvFile } from '../init/env-file.ts'
import { askSetup, checkSetup, givenSetup, type Setup, type SetupOptions } from '../init/setup.ts'
import { type SystemFile, systemFile } from '../init/system-files.ts'
import { hasTerminal, print, say } from '../output/output.ts'
import { confirm } from '../questions.ts'
import { scheduleSentence } from '../schedule.ts'

type Options = SetupOptions & { yes?: true; force?: true; dryRun?: true; print?: SystemFile }

/** Sets the site up: settings, database, event. */
export async function init(options: Options, context: Context): Promise<void> {
  if (options.print !== undefined) {
    checkSetup(givenSetup(options, context), context)
    const config = context.readConfig()
    return print(systemFile(options.print, config), context.io)
  }
  if (!options.yes && !hasTerminal(context.io)) {
    throw usageError('No terminal to ask on: add --yes to take the defaults.')
  }
  const setup = options.yes ? givenSetup(options, context) : await askSetup(options, context)
  checkSetup(setup, context)
  if (options.dryRun) return print(`${planOf(setup, context).join('\n')}\n`, context.io)
  await agreeToOtherDatabase(setup.settings.DATABASE_URL, options, context)
  await context.openDatabase({ mustExist: false })
  if (Object.keys(setup.event).length > 0) await changeEventTexts(setup.event, context.call)
  const schedule = await changeScheduleOf(setup, context)
  if (setup.password !== undefined) await setPassword(setup.password, context.call)
  // Last, once everything else has succeeded: the file takes effect with the next command.
  if (Object.keys(setup.settings).length > 0) {
    await changeEnvFile(envFile, setup.settings, fileOf(context.readConfig().databaseUrl))
  }
  if (context.quiet) return
  if (schedule !== undefined) say(scheduleSentence(schedule), context.io)
  say(nextStep(context.readConfig(), await isGuardedBy(context.readConfig(), context.call)), context.io)
}

/**
 * Asks before the site switches to another database, because it would start without its current responses.
 * @throws CommandError 'failed' after a no, or with --yes but without --force; 'usage' without a terminal.
 */
export async function agreeToOtherDatabase(
  url: string | undefined,
  { yes, force }: { yes?: true; force?: true },
  context: Context,
): Promise<void> {
  const used = await databaseInUse()
  if (url === undefined || force || used === undefined) return
  const { databaseUrl } = readConfig({ DATABASE_URL: url })
  if (used === databaseUrl) return
  const sentence = `The site uses ${placeOf(used)}: with another database it would start without the responses there.`
  if (yes) {
    throw failure(`${sentence} Add --force to use ${placeOf(databaseUrl)} anyway.`)
  }
  say(sentence, context.io)
  await confirm(`Use ${placeOf(databaseUrl)} from now on?`, context)
}

/** TZ also becomes the time zone of the schedule if that is confirmed, or becomes so by this change. */
async function changeScheduleOf({ settings, schedule }: Setup, { call }: Context) {
  const { confirmed } = await getSchedule(call)
  const isSet = Object.keys(schedule).length > 0
  const zone = settings.TZ === undefined || !(isSet || confirmed) ? {} : { timeZone: settings.TZ }
  const change = { ...zone, ...schedule }
  return Object.keys(change).length === 0 ? undefined : changeSchedule(change, call)
}

function planOf({ settings, event, schedule, password }: Setup, { readConfig }: Context): string[] {
  const { weekday, startTime, timeZone } = schedule
  return [
    ...Object.entries(settings).map(([name, value]) => `Would set ${name}=${value} in ${envFile}.`),
    `Would create the database ${readConfig().databaseUrl}, if it does not exist yet.`,
    ...(password === undefined ? [] : ['Would set the password.']),
    ...(weekday === undefined ? [] : [`Would set the schedule: on ${weekdayText(weekday)}s`]),
    ...(startTime === undefined ? [] : [`Would set the schedule: at ${clockText(startTime)}`]),
    ...(timeZone === undefined ? [] : [`Would set the schedule: in the time zone ${timeZone}`]),
    ...Object.entries(event).map(([key, text]) => `Would set the ${key} of the event: ${text}`),
  ]
}

function nextStep(config: Config, guarded: boolean): string {
  const refused = guarded ? undefined : openModeRefusal(config)
  if (refused !== undefined) return `The settings are saved. Before the site can start: ${refused}`
  return [
    'All is set up. Start the site with `npm start`, then open',
    `${config.publicUrl ?? `http://localhost:${config.port}`} in a browser.`,
    'To keep it running, and to back up the responses every night, see `rsvp init --print systemd` and `--print crontab`.',
  ].join('\n')
}

/** The database that .env names, or else the default one if it exists. */
async function databaseInUse(): Promise<string | undefined> {
  const named = parseEnv(await readFile(envFile, 'utf8').catch(() => '')).DATABASE_URL
  try {
    const { databaseUrl } = readConfig(named ? { DATABASE_URL: named } : {})
    return named || !isNew(databaseUrl) ? databaseUrl : undefined
  } catch (error) {
    if (error instanceof UserError) return undefined
    throw error
  }
}
