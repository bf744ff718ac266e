import { existsSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import * as z from 'zod/mini'
import { givenPassword } from '#db/access/at-start.ts'
import { isLoopback } from '#db/access/loopback.ts'
import { isGuarded } from '#db/access/setup.ts'
import { checkSettings } from '#db/config/config.ts'
import { isNew, projectRoot } from '#db/config/places.ts'
import { defaultEvent } from '#db/event/default-event.ts'
import { getEvent } from '#db/event/operations.ts'
import { toPayload } from '#db/event/payload.ts'
import { type EventPayload, eventPayload } from '#db/event/schema.ts'
import { findContradictions } from '#db/schedule/contradictions.ts'
import { getSchedule } from '#db/schedule/operations.ts'
import { defaultSchedule } from '#db/schedule/read-schedule.ts'
import type { Schedule } from '#db/schedule/schema.ts'
import { clockText, weekdayText } from '#db/schedule/texts.ts'
import { serverTimeZone } from '#db/values/time-zone.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes, refusalBy, usageError } from '../exit-code.ts'
import { say } from '../output/output.ts'
import { askNewPassword } from '../questions.ts'
import { timeIn, weekdayIn } from '../schedule.ts'
import type { AskedText } from '../ui/ask-line.ts'

export type SetupOptions = {
  publicUrl?: string
  timeZone?: string
  trustedProxies?: string
  backupDir?: string
  weekday?: string
  start?: string
} & Partial<Pick<EventPayload, (typeof eventQuestions)[number]['key']>>

/** What `rsvp init` will change: variables of .env, texts of the event, the schedule, and a missing password. */
export type Setup = {
  settings: Record<string, string>
  event: Partial<EventPayload>
  schedule: Partial<Pick<Schedule, 'weekday' | 'startTime' | 'timeZone'>>
  password?: string
}

const eventQuestions = [
  { key: 'title', label: 'Title of the page:' },
  { key: 'date', label: 'Day, as people should read it:' },
  { key: 'time', label: 'Time, as people should read it:' },
  { key: 'location', label: 'Where it is:' },
] as const

/** Only what is given on the command line. */
export function givenSetup(options: SetupOptions, { db, io }: Context): Setup {
  const { publicUrl, timeZone, trustedProxies, backupDir, weekday, start } = options
  const event: Setup['event'] = {}
  for (const { key } of eventQuestions) if (options[key] !== undefined) event[key] = options[key]
  return {
    settings: {
      ...(db !== undefined && { DATABASE_URL: db.startsWith('file:/') ? `file:${inEnvFile(db.slice(5))}` : db }),
      ...(publicUrl !== undefined && { PUBLIC_URL: publicUrl }),
      ...(trustedProxies !== undefined && { TRUSTED_PROXIES: trustedProxies }),
      ...(backupDir !== undefined && { BACKUP_DIR: inEnvFile(resolve(io.cwd(), backupDir)) }),
      ...(timeZone !== undefined && { TZ: timeZone }),
    },
    event,
    schedule: {
      ...(weekday !== undefined && { weekday: weekdayIn(weekday) }),
      ...(start !== undefined && { startTime: timeIn(start) }),
    },
  }
}

/**
 * Checks everything before anything is changed, and lets this command use the settings.
 * @throws UserError 'configuration' that names every wrong setting, CommandError 'usage' for an invalid text.
 */
export function checkSetup({ settings, event }: Setup, context: Context): void {
  Object.assign(context.io.env, settings)
  context.readConfig()
  const [wrong] = z.partial(eventPayload).safeParse(event).error?.issues ?? []
  if (wrong !== undefined) throw usageError(wrong.message)
}

/** Relative if it is in the site's folder, so that the folder can be moved. */
function inEnvFile(path: string): string {
  const inside = relative(projectRoot, path)
  return inside.startsWith('..') || isAbsolute(inside) ? path : `./${inside}`
}

/** Typed instead of an address or a folder. */
const NONE = 'none'

/** Asks at the terminal for what is not given. An input that changes nothing is left out. */
export async function askSetup(options: SetupOptions, context: Context): Promise<Setup> {
  const { publicUrl } = context.readConfig()
  const { settings, event, schedule } = givenSetup(options, context)
  const { askForText } = await import('../ui/ask-line.ts')
  const ask: Ask = (question) => askForText(question, context)

  if (settings.PUBLIC_URL === undefined) {
    const label = 'Address people will use (empty: this computer only):'
    const input = await ask({ label, preset: publicUrl ?? '', refusal: refusalOf('PUBLIC_URL') })
    if (input !== '' && input !== publicUrl) settings.PUBLIC_URL = input
  }
  const address = settings.PUBLIC_URL ?? publicUrl
  const isPublic = address !== undefined && !isLoopback(new URL(address).hostname)
  if (isPublic) Object.assign(settings, await askWhatPublicNeeds(settings, ask, context))
  const stored = await readStored(context)
  const zone =
    settings.TZ ?? (await ask({ label: 'Time zone:', preset: stored.schedule.timeZone, refusal: refusalOf('TZ') }))
  if (zone !== serverTimeZone()) settings.TZ = zone
  const { weekday, startTime } = stored.schedule
  const askForWeekday = () =>
    ask({
      label: 'Day of the week of the service:',
      preset: weekdayText(weekday),
      refusal: (day) => refusalBy(() => weekdayIn(day)),
    })
  const askForStart = () =>
    ask({ label: 'When it starts:', preset: clockText(startTime), refusal: (time) => refusalBy(() => timeIn(time)) })
  const asked = {
    weekday: schedule.weekday ?? weekdayIn(await askForWeekday()),
    startTime: schedule.startTime ?? timeIn(await askForStart()),
    timeZone: zone,
  }
  Object.assign(event, await askEvent(event, stored.event, asked, ask))
  const setup = { settings, event, schedule: asked }
  if (!isPublic || (await isGuardedAlready(context))) return setup
  return { ...setup, password: await askUntilUsable(context) }
}

/** What a site on the internet needs in addition: a proxy in front of it for TLS, and backups. */
async function askWhatPublicNeeds(given: Setup['settings'], ask: Ask, context: Context): Promise<Setup['settings']> {
  const { cwd } = context.io
  const { trustedProxies, backupFolder } = context.readConfig()
  const settings: Setup['settings'] = {}
  if (given.TRUSTED_PROXIES === undefined && trustedProxies.length === 0) {
    const label = 'Address of the proxy in front of it, or none:'
    const refusal = (value: string) => (value === NONE ? undefined : refusalOf('TRUSTED_PROXIES')(value))
    const input = await ask({ label, preset: '127.0.0.1', refusal })
    if (input !== NONE) settings.TRUSTED_PROXIES = input
  }
  if (given.BACKUP_DIR === undefined && backupFolder === undefined) {
    const label = 'Folder for a backup every night, or none:'
    const refusal = (folder: string) => {
      if (/^(y|yes|n|no)$/i.test(folder)) return 'Give the path of a folder, e.g. ./backups, or none.'
      const above = dirname(resolve(cwd(), folder))
      if (folder === NONE || existsSync(above)) return undefined
      return `There is no folder ${above}: create it first, or name another.`
    }
    const input = await ask({ label, preset: join(projectRoot, 'backups'), refusal })
    if (input !== NONE) settings.BACKUP_DIR = inEnvFile(resolve(cwd(), input))
  }
  return settings
}

/** Asked last, so that a rejected password does not repeat other questions. */
async function askUntilUsable(context: Context): Promise<string> {
  for (;;) {
    try {
      return await askNewPassword('Password for /admin, 12 to 128 characters: ', context)
    } catch (error) {
      if (!(error instanceof CommandError) || error.exitCode !== exitCodes.failed) throw error
      say(error.message, context.io)
    }
  }
}

async function isGuardedAlready({ call, readConfig }: Context): Promise<boolean> {
  const config = readConfig()
  if (config.openToNetwork || (await givenPassword(config)) !== undefined) return true
  return !isNew(config.databaseUrl) && (await isGuarded(call))
}

/** The problem with an input, in the words that the site would use at its start, without the name of the variable. */
function refusalOf(variable: string): (input: string) => string | undefined {
  return (input) => refusalBy(() => checkSettings({ [variable]: input }))?.replace(variable, 'That')
}

/** The stored event and schedule, or the defaults if there is no database yet. */
async function readStored(context: Context): Promise<{ event: EventPayload; schedule: Schedule }> {
  try {
    await context.openDatabase({ mustExist: true })
    return {
      event: (await getEvent(context.call)) ?? toPayload(defaultEvent),
      schedule: await getSchedule(context.call),
    }
  } catch (error) {
    if (isNew(context.readConfig().databaseUrl)) return { event: toPayload(defaultEvent), schedule: defaultSchedule() }
    throw error
  }
}

/** Enter alone means the preset of the question. */
type Ask = (question: AskedText) => Promise<string>

type Times = Pick<Schedule, 'weekday' | 'startTime'>

/** Asks for the texts that are not given. A stored text that contradicts the schedule is not proposed. */
async function askEvent(
  given: Setup['event'],
  stored: EventPayload,
  schedule: Times,
  ask: Ask,
): Promise<Setup['event']> {
  const fitting = { date: `Every ${weekdayText(schedule.weekday)}`, time: clockText(schedule.startTime) }
  const proposed = { ...stored }
  for (const { text } of findContradictions(stored, schedule)) proposed[text] = fitting[text]
  const event: Setup['event'] = {}
  for (const { key, label } of eventQuestions) {
    if (given[key] !== undefined) continue
    const input = await ask({ label, preset: proposed[key] })
    if (input !== stored[key]) event[key] = input
  }
  return event
}
