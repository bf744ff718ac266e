import { newPassword } from '#db/values/schemas.ts'
import type { Context } from './context.ts'
import { CommandError, exitCodes, failure, usageError } from './exit-code.ts'
import { hasTerminal } from './output/output.ts'

/**
 * Asks at the terminal for a yes or, if more than one thing is affected, for their `number`.
 * @throws CommandError 'usage' without a terminal, 'failed' after a no.
 */
export async function confirm(question: string, { signal, io }: Context, number = 1): Promise<void> {
  if (!hasTerminal(io)) throw usageError('No terminal to confirm on: add --yes to continue.')
  const { askForYes } = await import('./ui/ask.tsx')
  if (await askForYes(question, { signal, io }, number > 1 ? number : undefined)) return
  signal.throwIfAborted()
  throw failure('Nothing was changed.')
}

/**
 * Asks twice for a new password at the terminal.
 * @throws CommandError 'failed' if the two differ or cannot be used, 'interrupted' after Ctrl+C.
 */
export async function askNewPassword(question: string, { signal, io }: Context): Promise<string> {
  const { askSecrets } = await import('./ui/ask-secret.ts')
  const inputs = await askSecrets([{ text: question, check: usablePassword }, { text: 'The same again: ' }], {
    signal,
    io,
  })
  signal.throwIfAborted()
  if (inputs === undefined) throw new CommandError(exitCodes.interrupted, '')
  const [typed = '', again] = inputs
  if (typed === again) return usablePassword(typed)
  throw failure('The two are not the same. Nothing was changed.')
}

/** @throws CommandError 'failed' that says what a password needs. */
export function usablePassword(typed: string): string {
  const parsed = newPassword.safeParse(typed)
  if (parsed.success) return parsed.data
  throw failure(parsed.error.issues.map(({ message }) => message).join(' '))
}
