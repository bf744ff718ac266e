import { createReadStream, createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import type { Copies } from '#db/config/config.ts'
import { UserError } from '#db/errors.ts'
import { errorCodeOf } from '#db/process/errors.ts'

// Copies are age files (age-encryption.org): `age --decrypt` opens them without this program.

export type Decryption = 'decrypted' | 'for others' | 'damaged'

/** Encrypts a file, as a stream, into an existing empty file. */
export async function encryptFile(file: string, encrypted: string, recipients: string[], signal: AbortSignal) {
  const encrypter = new Encrypter()
  for (const recipient of recipients) addRecipient(encrypter, recipient)
  const read = Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array>
  await pipeline(await encrypter.encrypt(read), createWriteStream(encrypted), { signal })
}

/** Encrypts a stream, so that the passphrase decrypts it. Deriving its key takes a second of this thread, and 256 MB. */
export async function encryptWithPassphrase(plain: Readable, encrypted: Writable, passphrase: string): Promise<void> {
  const encrypter = new Encrypter()
  encrypter.setPassphrase(passphrase)
  await pipeline(await encrypter.encrypt(Readable.toWeb(plain) as ReadableStream<Uint8Array>), encrypted)
}

/** Decrypts a file into an existing empty file, whose contents are worthless unless the result is 'decrypted'. */
export async function decryptFile(
  file: string,
  decrypted: string,
  identities: string[],
  signal: AbortSignal,
): Promise<Decryption> {
  const decrypter = new Decrypter()
  for (const identity of identities) decrypter.addIdentity(identity)
  const read = createReadStream(file)
  try {
    const plain = await decrypter.decrypt(Readable.toWeb(read) as ReadableStream<Uint8Array>)
    await pipeline(plain, createWriteStream(decrypted), { signal })
    return 'decrypted'
  } catch (error) {
    signal.throwIfAborted()
    // A disk error, not one of age.
    if (error instanceof Error && 'syscall' in error) throw error
    return error instanceof Error && /no identity matched/.test(error.message) ? 'for others' : 'damaged'
  } finally {
    read.destroy()
  }
}

/** A new identity, which decrypts, and its recipient, for which others encrypt. */
export async function makeIdentity(): Promise<{ identity: string; recipient: string }> {
  const identity = await generateX25519Identity()
  return { identity, recipient: await identityToRecipient(identity) }
}

/** The identities that decrypt the copies, in the format of age-keygen: one per line, plus comments. */
export async function readIdentities({ identityFile: file }: Copies): Promise<string[]> {
  if (file === undefined) {
    throw new UserError('forbidden', 'Copies are encrypted: set BACKUP_COPY_IDENTITY_FILE to the file that decrypts.')
  }
  const text = await readFile(file, 'utf8').catch((error) => {
    const todo = 'Restore it from your copy of it, or let this account read it.'
    throw new UserError('forbidden', `The identity in ${file} cannot be read (${errorCodeOf(error)}). ${todo}`)
  })
  const lines = text.split('\n').map((line) => line.trim())
  const identities = lines.filter((line) => line !== '' && !line.startsWith('#'))
  if (identities.length === 0) throw new UserError('forbidden', `There is no age identity in ${file}.`)
  await Promise.all(identities.map(identityToRecipient)).catch(() => {
    throw new UserError('forbidden', `${file} holds a line that is not an age identity: remove it.`)
  })
  return identities
}

function addRecipient(encrypter: Encrypter, recipient: string): void {
  try {
    encrypter.addRecipient(recipient)
  } catch {
    throw new UserError('configuration', `BACKUP_COPY_RECIPIENT has a mistake in ${recipient}: copy it again.`)
  }
}
