import { UserError } from '#db/errors.ts'
import { isOlder } from '#db/other-version.ts'
import { quotedForShell } from '#db/shell.ts'

/** The same error; where it tells to run a command on a database that was given with --db, the command names it as well. */
export function naming(db: string | undefined, error: unknown): unknown {
  if (db === undefined || !isOlder(error)) return error
  const message = error.message.replace('rsvp migrate', () => `rsvp migrate --db ${quotedForShell(db)}`)
  return new UserError(error.code, message)
}
