import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { givenPassword } from '#db/access/at-start.ts'
import { isLoopback } from '#db/access/loopback.ts'
import { isGuarded } from '#db/access/operations.ts'
import { checkSettings } from '#db/config/config.ts'
import { findSite, isNew } from '#db/config/places.ts'
import { UserError } from '#db/errors.ts'
import { defaultEvent } from '#db/event/default-event.ts'
import { getEvent } from '#db/event/operations.ts'
import { toPayload } from '#db/event/payload.ts'
import type { EventPayload } from '#db/event/schema.ts'
import { getSchedule } from '#db/schedule/operations.ts'
import { defaultSchedule } from '#db/schedule/read-schedule.ts'
import type { Schedule } from '#db/schedule/schema.ts'
import { serverTimeZone } from '#db/values/time-zone.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
import { say } from '../output/output.ts'
import { askNewPassword } from '../questions/ask-password.ts'
import { type Ask, askEvent, askSchedule } from './ask-service.ts'
import { givenSetup, inEnvFile, type Setup, type SetupOptions } from './setup.ts'

/** Typed instead of an address or a folder. */
const NONE = 'none'

/** Asks at the terminal for what is not given. An input that changes nothing is left out. */
export async function askSetup(options: SetupOptions, context: Context): Promise<Setup> {
  const { publicUrl } = context.readConfig()
  const { settings, event, schedule } = givenSetup(options, context)
  const ask = await asker(context)

  if (settings.PUBLIC_URL === undefined) {
    const label = 'Address people will use (empty: this computer only):'
    const input = await ask({ label, preset: publicUrl ?? '', refusal: refusalOf('PUBLIC_URL') })
    if (input !== '' && input !== publicUrl) settings.PUBLIC_URL = input
  }
  const isPublic = isPublicAddress(settings.PUBLIC_URL ?? publicUrl)
  if (isPublic) Object.assign(settings, await askWhatPublicNeeds(settings, ask, context))
  const stored = await readStored(context)
  const zone =
    settings.TZ ?? (await ask({ label: 'Time zone:', preset: stored.schedule.timeZone, refusal: refusalOf('TZ') }))
  if (zone !== serverTimeZone()) settings.TZ = zone
  const asked = { ...(await askSchedule(schedule, stored.schedule, ask)), timeZone: zone }
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
    const input = await ask({
      label,
      preset: join(findSite(context.io.env).folder, 'backups'),
      refusal: refusalOfFolderIn(cwd()),
    })
    if (input !== NONE) settings.BACKUP_DIR = inEnvFile(resolve(cwd(), input), context.io)
  }
  return settings
}

function refusalOfFolderIn(cwd: string): (input: string) => string | undefined {
  return (input) => {
    if (/^(y|yes|n|no)$/i.test(input)) return 'Give the path of a folder, e.g. ./backups, or none.'
    const above = dirname(resolve(cwd, input))
    if (input === NONE || existsSync(above)) return undefined
    return `There is no folder ${above}: make it first, or name another.`
  }
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

function isPublicAddress(url: string | undefined): boolean {
  return url !== undefined && !isLoopback(new URL(url).hostname)
}

async function isGuardedAlready({ call, readConfig }: Context): Promise<boolean> {
  const config = readConfig()
  if (config.openToNetwork || (await givenPassword(config)) !== undefined) return true
  return !isNew(config.databaseUrl) && (await isGuarded(call))
}

async function asker({ io, signal }: Context): Promise<Ask> {
  const { askForText } = await import('../ui/ask.tsx')
  return async (question) => {
    const input = await askForText(question, { io, signal })
    if (input === undefined) throw signal.reason
    return input
  }
}

/** The problem with an input, in the words that the site would use at its start, without the name of the variable. */
function refusalOf(variable: string): (value: string) => string | undefined {
  return (value) => {
    try {
      checkSettings({ [variable]: value })
      return undefined
    } catch (error) {
      if (error instanceof UserError) return error.message.replace(variable, 'That')
      throw error
    }
  }
}

/** What is stored, or the defaults where there is no database yet. */
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
