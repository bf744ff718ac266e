import { quoteForShell } from '#db/config/places.ts'
import { UserError } from '#db/errors.ts'
import { isOlder } from '#db/other-version.ts'
import { namingOption } from './given-database.ts'

/** The same error for a database that was given with --db: it names the option, and a command to run on it does so too. */
export function naming(db: string | undefined, error: unknown): unknown {
  if (db === undefined || !(error instanceof UserError)) return error
  const { code, message, fields, retryAfter } = error
  const named = isOlder(error)
    ? message.replace('rsvp migrate', () => `rsvp migrate --db ${quoteForShell(db)}`)
    : namingOption(message)
  return new UserError(code, named, fields, retryAfter)
}
