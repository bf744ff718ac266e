import { dirname, join } from 'node:path'
import { recordAct } from '#db/audit/operations.ts'
import { countsOf, type Examine } from '#db/backup/copy.ts'
import { beginningOf, copyName, isLeftOver, readCopyName, sortedCopies } from '#db/backup/names.ts'
import { findDoubt } from '#db/clock/clock.ts'
import type { Copies } from '#db/config/config.ts'
import { UserError } from '#db/errors.ts'
import { readVersion } from '#db/migrate.ts'
import type { Call } from '#db/operation.ts'
import { makePrivateFile, removeAbandoned, withTemporaryFile } from '#db/process/files.ts'
import { openedDatabase } from '#db/storage/client.ts'
import { assertEncrypted, openPlace } from './open-place.ts'
import type { Place, Surroundings } from './place.ts'
import { hashOf, markOf, readProofKey } from './proof.ts'

const NO_KEY =
  'The tables are from another version and have no key for its mark, so it is sent after the next start of the site. To send it now, run `rsvp migrate` first.'

/** `removed` lists the older copies that it replaced; none while the clock is doubtful. */
export type SentCopy = { place: string; name: string; removed: string[] }

/**
 * Encrypts a backup and sends it to the other place, where it appears whole or not at all. Then removes older copies there,
 * and never another file.
 * @throws UserError 'configuration' if a setting is missing, 'unavailable' with the reason if it cannot be sent, also
 * if the tables have no key for its mark: a copy without a mark would look forged.
 */
export async function sendCopy(
  file: string,
  copies: Copies,
  call: Call,
  { examine, ...around }: Surroundings & { examine: Examine },
): Promise<SentCopy> {
  assertEncrypted(copies)
  const place = await openPlace(copies, around)
  const beginning = beginningOf(file, countsOf(await examine(file), file))
  // Tables of another version are not written to.
  const isThisVersion = (await readVersion(openedDatabase())) === 'this'
  const key = await readProofKey().catch((error) => {
    throw isThisVersion ? error : new UserError('unavailable', NO_KEY)
  })
  // Loaded on demand: it takes a while.
  const { encryptFile } = await import('./encryption.ts')
  await removeAbandoned(dirname(file))
  const name = await withTemporaryFile(join(dirname(file), beginning), async (encrypted) => {
    await makePrivateFile(encrypted)
    await encryptFile(file, encrypted, copies.recipients, around.signal)
    const marked = copyName(beginning, markOf(beginning, await hashOf(encrypted), key))
    await place.send(encrypted, marked)
    return marked
  })
  if (!isThisVersion) return { place: place.title, name, removed: [] }
  await recordAct({ action: 'copy sent', subject: `${place.title}/${name}` }, call)
  const isTrusted = (await findDoubt(call)) === undefined
  return { place: place.title, name, removed: isTrusted ? await removeOlder(place, name, copies.kept) : [] }
}

/** Never removes the copy just sent, even if others claim to be from the future. */
async function removeOlder(place: Place, sent: string, kept: number): Promise<string[]> {
  const found = await place.list()
  // If nothing was ever stored here, this database may replace a lost one, whose copies stay.
  const isEmpty = readCopyName(sent)?.counts.latest === 0
  const older = sortedCopies(found)
    .filter(({ name }) => name <= sent)
    .slice(kept)
    .filter(({ counts }) => !isEmpty || counts.latest === 0)
    .map(({ name }) => name)
  const leftOver = found.map(({ name }) => name).filter((name) => isLeftOver(name, sent))
  await place.remove([...older, ...leftOver])
  return older
}
