import type { Copies } from '#db/config/config.ts'
import { UserError } from '#db/errors.ts'
import { makePrivateFile } from '#db/process/new-file.ts'
import { withTemporaryFile } from '#db/process/unfinished.ts'
import { readIdentities } from './identity-file.ts'
import { openPlace } from './open-place.ts'
import type { Surroundings } from './place.ts'

/** An encrypted copy: a file here, or the name of one at the other place. */
export type Encrypted = { file: string } | { name: string }

/**
 * Fetches a copy and decrypts it, for as long as the work lasts.
 * @param beside the temporary files go beside this one.
 * @throws UserError 'damaged' when it is, 'forbidden' without an identity that decrypts it, 'unavailable' when the place cannot be reached.
 */
export async function withPlainCopy<Output>(
  encrypted: Encrypted,
  { copies, beside, ...around }: { copies: Copies; beside: string } & Surroundings,
  work: (plain: string) => Promise<Output>,
): Promise<Output> {
  const identities = await readIdentities(copies)
  const named = titleOf(encrypted, copies)
  return withTemporaryFile(beside, async (plain) => {
    await makePrivateFile(plain, beside)
    if ('file' in encrypted) await decrypt(encrypted.file, plain)
    else {
      await withTemporaryFile(beside, async (fetched) => {
        await makePrivateFile(fetched, beside)
        await (await openPlace(copies, around)).fetch(encrypted.name, fetched)
        await decrypt(fetched, plain)
      })
    }
    return work(plain)
  })

  async function decrypt(file: string, plain: string): Promise<void> {
    const { decryptFile } = await import('./encryption.ts')
    const result = await decryptFile(file, plain, identities, around.signal)
    if (result === 'damaged') throw new UserError('damaged', `${named} is damaged. Try another one.`)
    if (result === 'for others') {
      const why = `none of the identities in ${copies.identityFile} fits, or its first lines are damaged`
      throw new UserError('forbidden', `${named} cannot be decrypted: ${why}. Use the identity of that time.`)
    }
  }
}

/** What a copy is called in messages. */
export function titleOf(encrypted: Encrypted, { place }: Copies): string {
  return 'file' in encrypted ? encrypted.file : `${place?.title}/${encrypted.name}`
}
