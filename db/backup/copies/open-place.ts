import type { Copies } from '#db/config/config.ts'
import { UserError } from '#db/errors.ts'
import type { Place, Surroundings } from './place.ts'

const SILENCE_MS = 60_000

/** @throws UserError 'configuration' if no place is set, or a setting that it needs is missing. */
export async function openPlace({ place, storage }: Copies, given: Surroundings): Promise<Place> {
  if (place === undefined) throw new UserError('configuration', 'There is no other place: set BACKUP_COPY_TO.')
  const { title, address } = place
  const around = { silenceMs: SILENCE_MS, leftBehind: () => {}, ...given }
  // Loaded on demand: most sites use none of them.
  switch (address.kind) {
    case 'folder':
      return (await import('./folder-place.ts')).folderPlace(title, address.folder, around)
    case 'ssh':
      return (await import('./ssh-place.ts')).sshPlace(title, address, around)
    case 's3':
      return (await import('./storage-place.ts')).storagePlace(title, address, storage, around)
  }
}

/** @throws UserError 'configuration' if a place is set without a recipient: copies are always encrypted. */
export function assertEncrypted({ place, recipients }: Copies): void {
  if (place === undefined || recipients.length > 0) return
  throw new UserError(
    'configuration',
    'BACKUP_COPY_TO needs BACKUP_COPY_RECIPIENT: copies are always encrypted. `rsvp init --backup-key FILE` makes what it takes.',
  )
}
