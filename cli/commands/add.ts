import { addRsvp } from '#db/rsvp/entry.ts'
import { getRsvp } from '#db/rsvp/list.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
import { hasTerminal, printJson, say } from '../output/output.ts'
import { type EntryOptions, entryFrom } from '../responses/entry-options.ts'
import { sayExcesses } from '../responses/say-excesses.ts'

const questions = [
  { key: 'name', label: 'Name:' },
  { key: 'family', label: 'Family, e.g. Joel Cole (child); Dina Cole:' },
  { key: 'phone', label: 'Phone:' },
  { key: 'email', label: 'Email:' },
  { key: 'message', label: 'Message:' },
] as const

/** Adds a response that came by telephone or on paper; without a name it asks for it at the terminal. */
export async function run(given: EntryOptions & { json?: true }, context: Context): Promise<void> {
  const { json, ...options } = given
  const asked = options.name === undefined ? await askFor(options, context) : options
  const entry = await entryFrom(asked, context)
  const { id } = await addRsvp({ attending: true, ...entry }, context.call)
  const stored = await getRsvp({ id: String(id) }, context.call)
  if (json) await printJson(stored, context.io)
  else if (!context.quiet) say(`Added response ${id}.`, context.io)
  if (!context.quiet) await sayExcesses(stored, context)
}

async function askFor(options: EntryOptions, { io, signal }: Context): Promise<EntryOptions> {
  if (!hasTerminal(io)) throw new CommandError(exitCodes.usage, 'Give a name, e.g. `rsvp add --name "Ana Cole"`.')
  const { askForText } = await import('../ui/ask.tsx')
  const asked = { ...options }
  for (const { key, label } of questions) {
    if (asked[key] !== undefined) continue
    const input = await askForText(
      { label, preset: '', ...(key === 'name' && { refusal: refusalOfName }) },
      { io, signal },
    )
    signal.throwIfAborted()
    asked[key] = input ?? ''
  }
  return asked
}

function refusalOfName(name: string): string | undefined {
  return name === '' ? 'A response needs a name.' : undefined
}
