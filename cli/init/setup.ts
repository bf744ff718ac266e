import { isAbsolute, relative, resolve } from 'node:path'
import * as z from 'zod/mini'
import { findSite } from '#db/config/places.ts'
import { type EventPayload, eventPayload } from '#db/event/schema.ts'
import type { Schedule } from '#db/schedule/schema.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
import type { Io } from '../io.ts'
import { timeIn, weekdayIn } from '../schedule/words.ts'

export type SetupOptions = {
  publicUrl?: string
  timeZone?: string
  trustedProxies?: string
  backupDir?: string
  weekday?: string
  start?: string
} & Partial<Pick<EventPayload, (typeof eventQuestions)[number]['key']>>

/**
 * What `rsvp init` will change: variables of .env, texts of the event, the schedule, and the password where there is none
 * yet.
 */
export type Setup = {
  settings: Record<string, string>
  event: Partial<EventPayload>
  schedule: Partial<Pick<Schedule, 'weekday' | 'startTime' | 'timeZone'>>
  password?: string
}

export const eventQuestions = [
  { key: 'title', label: 'Title of the page:' },
  { key: 'date', label: 'Day, as people should read it:' },
  { key: 'time', label: 'Time, as people should read it:' },
  { key: 'location', label: 'Where it is:' },
] as const

/** What is given on the command line, and nothing else. */
export function givenSetup(options: SetupOptions, { db, io }: Context): Setup {
  const { publicUrl, timeZone, trustedProxies, backupDir, weekday, start } = options
  const event: Setup['event'] = {}
  for (const { key } of eventQuestions) if (options[key] !== undefined) event[key] = options[key]
  return {
    settings: {
      ...(db !== undefined && { DATABASE_URL: db.startsWith('file:/') ? `file:${inEnvFile(db.slice(5), io)}` : db }),
      ...(publicUrl !== undefined && { PUBLIC_URL: publicUrl }),
      ...(trustedProxies !== undefined && { TRUSTED_PROXIES: trustedProxies }),
      ...(backupDir !== undefined && { BACKUP_DIR: inEnvFile(resolve(io.cwd(), backupDir), io) }),
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
 * @throws UserError 'configuration' that names every wrong setting, CommandError 'usage' for a text that does not fit.
 */
export function checkSetup({ settings, event }: Setup, context: Context): void {
  Object.assign(context.io.env, settings)
  context.readConfig()
  const [wrong] = z.partial(eventPayload).safeParse(event).error?.issues ?? []
  if (wrong !== undefined) throw new CommandError(exitCodes.usage, wrong.message)
}

/** A relative path for a file in the folder of the site, which stays right when that folder is moved. */
export function inEnvFile(path: string, { env }: Io): string {
  const inside = relative(findSite(env).folder, path)
  return inside.startsWith('..') || isAbsolute(inside) ? path : `./${inside}`
}
