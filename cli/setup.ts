import * as z from 'zod/mini'
import { overrideVariables, readConfig } from '#db/config.ts'
import { UserError } from '#db/errors.ts'
import { defaultEvent } from '#db/event/content.ts'
import { getEvent } from '#db/event/operations.ts'
import { toPayload } from '#db/event/payload.ts'
import { type EventPayload, eventPayload } from '#db/event/schema.ts'
import { serverTimeZone } from '#db/time-zone.ts'
import type { Context } from './context.ts'
import { CommandError, exitCodes } from './exit-code.ts'

export type SetupOptions = {
  publicUrl?: string
  timeZone?: string
} & Partial<Pick<EventPayload, (typeof eventQuestions)[number]['key']>>

/** What `rsvp init` will change: variables of .env, and texts of the event. */
export type Setup = { settings: Record<string, string>; event: Partial<EventPayload> }

const eventQuestions = [
  { key: 'title', label: 'Title of the page:' },
  { key: 'date', label: 'Day, as people should read it:' },
  { key: 'time', label: 'Time, as people should read it:' },
  { key: 'location', label: 'Where it is:' },
] as const

/** What is given on the command line, and nothing else. */
export function givenSetup(options: SetupOptions, { db }: Context): Setup {
  const { publicUrl, timeZone } = options
  const event: Setup['event'] = {}
  for (const { key } of eventQuestions) if (options[key] !== undefined) event[key] = options[key]
  return {
    settings: {
      ...(db !== undefined && { DATABASE_URL: db }),
      ...(publicUrl !== undefined && { PUBLIC_URL: publicUrl }),
      ...(timeZone !== undefined && { TZ: timeZone }),
    },
    event,
  }
}

/** Asks at the terminal for what is not given. An answer that changes nothing is left out. */
export async function askSetup(options: SetupOptions, context: Context): Promise<Setup> {
  const { publicUrl } = readConfig()
  const { settings, event } = givenSetup(options, context)
  const ask = await asker(context.signal)

  if (settings.PUBLIC_URL === undefined) {
    const label = 'Address people will use (empty: this computer only):'
    const answer = await ask({ label, preset: publicUrl ?? '', refusal: refusalOf('PUBLIC_URL') })
    if (answer !== '' && answer !== publicUrl) settings.PUBLIC_URL = answer
  }
  if (settings.TZ === undefined) {
    const answer = await ask({ label: 'Time zone:', preset: serverTimeZone(), refusal: refusalOf('TZ') })
    if (answer !== serverTimeZone()) settings.TZ = answer
  }
  const stored = await storedEvent(context)
  for (const { key, label } of eventQuestions) {
    if (event[key] !== undefined) continue
    const answer = await ask({ label, preset: stored[key] })
    if (answer !== stored[key]) event[key] = answer
  }
  return { settings, event }
}

/**
 * Checks everything before anything is changed, and lets this process use the settings.
 * @throws UserError 'configuration' that names every wrong setting, CommandError 'usage' for a text that does not fit.
 */
export function checkSetup({ settings, event }: Setup): void {
  overrideVariables(settings)
  readConfig()
  const [wrong] = z.partial(eventPayload).safeParse(event).error?.issues ?? []
  if (wrong !== undefined) throw new CommandError(exitCodes.usage, wrong.message)
}

async function asker(signal: AbortSignal) {
  const { askForText } = await import('./ui/ask.tsx')
  return async (question: Parameters<typeof askForText>[0]): Promise<string> => {
    const answer = await askForText(question, signal)
    if (answer === undefined) throw signal.reason
    return answer
  }
}

/** What is wrong with a value, in the words that the site would use at its start. */
function refusalOf(variable: string): (value: string) => string | undefined {
  return (value) => {
    try {
      readConfig({ [variable]: value })
      return undefined
    } catch (error) {
      if (error instanceof UserError) return error.message
      throw error
    }
  }
}

async function storedEvent(context: Context): Promise<EventPayload> {
  try {
    await context.openDatabase({ mustExist: true })
    return (await getEvent(undefined, context.call)) ?? toPayload(defaultEvent)
  } catch (error) {
    if (error instanceof UserError && error.code === 'configuration') return toPayload(defaultEvent)
    throw error
  }
}
