import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
import { hasTerminal } from '../output/output.ts'

/**
 * Asks at the terminal for a yes; where more than one thing is affected, asks the user to type their `number`.
 * @throws CommandError 'usage' without a terminal, 'failed' after a no, both with the sentence to say.
 */
export async function confirm(question: string, { signal, io }: Context, number = 1): Promise<void> {
  if (!hasTerminal(io)) throw new CommandError(exitCodes.usage, 'No terminal to confirm on: add --yes to go on.')
  const { askForYes } = await import('../ui/ask.tsx')
  if (await askForYes(question, { signal, io }, number > 1 ? number : undefined)) return
  signal.throwIfAborted()
  throw new CommandError(exitCodes.failed, 'Nothing was changed.')
}
