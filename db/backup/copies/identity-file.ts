import { readFile } from 'node:fs/promises'
import type { Copies } from '#db/config/config.ts'
import { UserError } from '#db/errors.ts'
import { errorCodeOf } from '#db/process/error-code.ts'
import { recipientOf } from './encryption.ts'

/**
 * The identities that decrypt the copies, in the format of age-keygen: one a line, beside comments.
 * @throws UserError 'forbidden' when there are none.
 */
export async function readIdentities({ identityFile: file }: Copies): Promise<string[]> {
  if (file === undefined) {
    throw new UserError('forbidden', 'Copies are encrypted: set BACKUP_COPY_IDENTITY_FILE to the file that decrypts.')
  }
  const lines = (await readLines(file))
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  if (lines.length === 0) throw new UserError('forbidden', `There is no age identity in ${file}.`)
  for (const line of lines) {
    if ((await recipientOf(line)) === undefined)
      throw new UserError('forbidden', `${file} holds a line that is not an age identity: take it out.`)
  }
  return lines
}

async function readLines(file: string): Promise<string[]> {
  try {
    return (await readFile(file, 'utf8')).split('\n')
  } catch (error) {
    const code = errorCodeOf(error)
    const todo = 'Bring it back from where you keep a copy of it, or let this account read it.'
    throw new UserError('forbidden', `The identity in ${file} cannot be read (${code}). ${todo}`)
  }
}
