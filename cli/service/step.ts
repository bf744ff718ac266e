import type { Context } from '../context.ts'
import { print } from '../output/output.ts'
import { confirm } from '../questions/confirm.ts'

/** One change to the system: what it does, as a sentence for the plan, and the change itself. */
export type Step = { text: string; work: () => Promise<unknown> | unknown }

/**
 * Shows what is to be done, asks, and does it step by step, saying which one is done.
 * @throws CommandError 'failed' after a no, or where a step fails; the steps before it stay done, and the same command goes
 * on where it stopped.
 */
export async function carryOut(
  steps: Step[],
  question: string,
  { yes, dryRun }: { yes?: true; dryRun?: true },
  context: Context,
): Promise<boolean> {
  if (!yes || dryRun) await print(`${steps.map(({ text }, at) => `${at + 1}. ${text}`).join('\n')}\n`, context.io)
  if (dryRun) return false
  if (!yes) await confirm(question, context)
  for (const { text, work } of steps) {
    context.signal.throwIfAborted()
    await work()
    if (!context.quiet) await print(`done  ${text}\n`, context.io)
  }
  return true
}
