import type * as z from 'zod/mini'
import { UserError } from '#db/values/errors.ts'
import type { Language } from '#db/values/languages.ts'
import type { Allowance } from '#db/values/limits.ts'
import type { PrayerAccess } from '#db/values/prayer.ts'
import { isAtLeast, type Role } from '#db/values/roles.ts'

/** Who calls an operation, when, and from where. Operations know nothing else of the front ends. */
export type Call = {
  now: Date
  /** A command and, in open mode, everyone is an owner. */
  role: Role | 'visitor'
  /** Who is signed in; undefined for a command, in open mode and for visitors. */
  administrator?: SignedInAdministrator | undefined
  /** For the audit. In `open mode` there is no administrator, and anyone who reaches the site sees everything. */
  actor: `session ${number}` | 'terminal' | 'open mode' | 'visitor' | 'site'
  /** The network that limits count: an IPv4 address, or the first half of an IPv6 address. */
  network?: string | undefined
  /** The language of the site for this caller; undefined for a command. */
  language?: Language | undefined
  /** Whether a mail server is set, so that messages are queued. */
  sendsMail?: boolean | undefined
  /** How many RSVPs may come from this network; without it there is no limit. */
  allowance?: Allowance | undefined
}

export type SignedInAdministrator = {
  id: number
  name: string
  /** The id of the session. */
  session: number
  /** When the password or a passkey was given last, in milliseconds since 1970. */
  provenAt: number
  /** Whether a reader sees email addresses, phone numbers and messages; the others always do. */
  seesContacts: boolean
  /** Which prayer requests the person reads, whatever the role. */
  prayers: PrayerAccess
}

/** Whether there is no administrator yet, so that every visitor is an owner. */
export function isOpenMode({ actor }: Call): boolean {
  return actor === 'open mode'
}

/** Whether the caller may see email addresses, phone numbers and messages. */
export function seesContactData({ role, administrator }: Call): boolean {
  return isAtLeast('clerk', role) || administrator?.seesContacts === true
}

/** @throws UserError 'invalid' with a message per field for input that the schema refuses. */
export function parseInput<Schema extends z.ZodMiniType>(schema: Schema, input: unknown): z.output<Schema> {
  const { success, data, error } = schema.safeParse(input)
  if (success) return data
  const refused = new UserError('does-not-fit')
  refused.fields = error.issues.map(({ path, message, ...issue }) => {
    const isOther = path.length === 0 && 'expected' in issue && issue.expected === 'object'
    return { path: path.join('.'), message: isOther ? 'Send a JSON object.' : message }
  })
  throw refused
}
