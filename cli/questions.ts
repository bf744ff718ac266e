import { text } from 'node:stream/consumers'
import { firstLine } from '#db/access/at-start.ts'
import { assertUncommon } from '#db/access/password.ts'
import { UserError } from '#db/errors.ts'
import { newPassword } from '#db/values/schemas.ts'
import type { Context } from './context.ts'
import { failure, sentencesOf, usageError } from './exit-code.ts'
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
 * A new password, asked for twice at a terminal, or read from standard input.
 * @throws CommandError 'failed' if the two differ or cannot be used, 'interrupted' after Ctrl+C.
 */
export async function readNewPassword(question: string, { signal, io }: Context): Promise<string> {
  if (!io.stdin.isTTY) return uncommonPassword(usablePassword(firstLine(await text(io.stdin))))
  const { askSecrets } = await import('./ui/ask-line.ts')
  const questions = [{ text: question, check: usablePassword }, { text: 'The same again: ' }]
  const [typed = '', again] = await askSecrets(questions, { signal, io })
  if (typed === again) return uncommonPassword(usablePassword(typed))
  throw failure('The two are not the same. Nothing was changed.')
}

/** @throws CommandError 'failed' that says what a password needs. */
function usablePassword(typed: string): string {
  const parsed = newPassword.safeParse(typed)
  if (parsed.success) return parsed.data
  throw failure(parsed.error.issues.map(({ message }) => message).join(' '))
}

/** Refused here already: what a command does besides would be half done. @throws CommandError 'failed' */
async function uncommonPassword(password: string): Promise<string> {
  await assertUncommon(password).catch((error) => {
    throw error instanceof UserError ? failure(sentencesOf(error).join(' ')) : error
  })
  return password
}
