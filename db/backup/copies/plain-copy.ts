import { basename } from 'node:path'
import type { Copies } from '#db/config/config.ts'
import { UserError } from '#db/errors.ts'
import { makePrivateFile } from '#db/process/new-file.ts'
import { withTemporaryFile } from '#db/process/unfinished.ts'
import { isCopyName, markedName } from './copy-name.ts'
import { readIdentities } from './identity-file.ts'
import type { Proof } from './judge.ts'
import { openPlace } from './open-place.ts'
import type { Surroundings } from './place.ts'
import { hashOf, prove } from './proof.ts'

/** An encrypted copy: a file here, or the name of one at the other place. */
export type Encrypted = { file: string } | { name: string }

/**
 * Fetches a copy and decrypts it, for as long as the work lasts. The work is told whether the copy is one of ours.
 * @param beside the temporary files go beside this one.
 * @throws UserError 'damaged' when it is, 'forbidden' without an identity that decrypts it, 'unavailable' when the place cannot be reached.
 */
export async function withPlainCopy<Output>(
  encrypted: Encrypted,
  { copies, beside, proofKeys, ...around }: { copies: Copies; beside: string; proofKeys: string[] } & Surroundings,
  work: (plain: string, proof: Proof) => Promise<Output>,
): Promise<Output> {
  const identities = await readIdentities(copies)
  const named = titleOf(encrypted, copies)
  return withTemporaryFile(beside, async (plain) => {
    await makePrivateFile(plain, beside)
    if ('file' in encrypted) return work(plain, await decrypt(encrypted.file, plain))
    const proof = await withTemporaryFile(beside, async (fetched) => {
      await makePrivateFile(fetched, beside)
      await (await openPlace(copies, around)).fetch(encrypted.name, fetched)
      return decrypt(fetched, plain)
    })
    return work(plain, proof)
  })

  async function decrypt(file: string, plain: string): Promise<Proof> {
    const { decryptFile } = await import('./encryption.ts')
    const result = await decryptFile(file, plain, identities, around.signal)
    if (result === 'damaged') throw new UserError('damaged', `${named} is damaged. Try another one.`)
    if (result === 'for others') {
      const why = `none of the identities in ${copies.identityFile} fits, or its first lines are damaged`
      throw new UserError('forbidden', `${named} cannot be decrypted: ${why}. Use the identity of that time.`)
    }
    const name = basename(named)
    return prove(isCopyName(name) ? markedName(name) : { beginning: name }, await hashOf(file), proofKeys)
  }
}

/** What a copy is called in messages. */
export function titleOf(encrypted: Encrypted, { place }: Copies): string {
  return 'file' in encrypted ? encrypted.file : `${place?.title}/${encrypted.name}`
}
