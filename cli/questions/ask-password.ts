import { newPassword } from '#db/values/schemas.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit-code.ts'

/**
 * Asks twice for a new password at the terminal.
 * @throws CommandError 'failed' with the sentence to say when the two differ or cannot be used, 'interrupted'.
 */
export async function askNewPassword(question: string, { signal, io }: Context): Promise<string> {
  const { askSecrets } = await import('../ui/ask-secret.ts')
  const inputs = await askSecrets([{ text: question, check: usablePassword }, { text: 'The same again: ' }], {
    signal,
    io,
  })
  signal.throwIfAborted()
  if (inputs === undefined) throw new CommandError(exitCodes.interrupted, '')
  const [typed = '', again] = inputs
  if (typed === again) return usablePassword(typed)
  throw new CommandError(exitCodes.failed, 'The two are not the same. Nothing was changed.')
}

/** @throws CommandError 'failed' that says what a password has to be like. */
export function usablePassword(typed: string): string {
  const parsed = newPassword.safeParse(typed)
  if (parsed.success) return parsed.data
  throw new CommandError(exitCodes.failed, parsed.error.issues.map(({ message }) => message).join(' '))
}
