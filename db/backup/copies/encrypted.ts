import type { Copies } from '#db/config/config.ts'
import { UserError } from '#db/errors.ts'

/** @throws UserError 'configuration' unless a place is set and, because copies are never sent otherwise, a recipient. */
export function assertEncrypted({ place, recipients }: Copies): void {
  if (place === undefined || recipients.length > 0) return
  throw new UserError(
    'configuration',
    'BACKUP_COPY_TO needs BACKUP_COPY_RECIPIENT: copies are always encrypted. `rsvp init --backup-key FILE` makes what it takes.',
  )
}
