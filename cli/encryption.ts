import { createReadStream } from 'node:fs'
import { text } from 'node:stream/consumers'
import { encryptWithPassphrase } from '#db/backup/copies/encryption.ts'
import type { Io } from './io.ts'

/** Encrypts an open file onto standard output, with the passphrase on standard input. */
export async function encryptFrom(descriptor: number, { stdin, stdout }: Io): Promise<void> {
  await encryptWithPassphrase(createReadStream('', { fd: descriptor }), stdout, await text(stdin))
}
