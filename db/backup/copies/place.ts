import type { Copies } from '#db/config/config.ts'
import { UserError } from '#db/errors.ts'
import type { StoredCopy } from './copy-name.ts'

const SILENCE_MS = 60_000

/** What work at a place needs of its process. */
export type Surroundings = {
  /** Ends it before it is done. */
  signal: AbortSignal
  /** For ssh: where programs and keys are. */
  env: NodeJS.ProcessEnv
  /** How long the place may be silent, in ms. */
  silenceMs?: number
}

/** Another place for copies. Every failure is a UserError 'unavailable', or 'full', that names the place and the reason. */
export type Place = {
  /** As the settings name it. */
  title: string
  /** The files there, ours and others. */
  list: () => Promise<StoredCopy[]>
  /** Puts a file there under this name: whole, or not at all. */
  send: (file: string, name: string) => Promise<void>
  /** Gets a file into one that exists and is empty. */
  fetch: (name: string, file: string) => Promise<void>
  remove: (names: string[]) => Promise<void>
}

/** @throws UserError 'configuration' where no place is set, or what it needs. */
export async function openPlace({ place, storage }: Copies, given: Surroundings): Promise<Place> {
  if (place === undefined) throw new UserError('configuration', 'There is no other place: set BACKUP_COPY_TO.')
  const { title, address } = place
  const around = { silenceMs: SILENCE_MS, ...given }
  // Each is loaded where it is used: most sites have none, none has all.
  switch (address.kind) {
    case 'folder':
      return (await import('./folder-place.ts')).folderPlace(title, address.folder, around)
    case 'ssh':
      return (await import('./ssh-place.ts')).sshPlace(title, address, around)
    case 's3':
      return (await import('./storage-place.ts')).storagePlace(title, address, storage, around)
  }
}

/** What went wrong at a place, as an error for a person. */
export function placeError(title: string, reason: string, todo: string): UserError {
  return new UserError('unavailable', `${title} cannot be used: ${reason}. ${todo}`)
}

/** The disk on which a copy is unpacked. */
export function fullHere(): UserError {
  return new UserError('full', 'The disk of the database is full, so no copy can be unpacked beside it: make room.')
}
