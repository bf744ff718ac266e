import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { CommandError, exitCodes } from '../exit-code.ts'
import type { Io } from '../io.ts'

/**
 * Asks for secret texts one after the other and does not echo them. A paste may fill all of them at once. An error that
 * the check of one throws ends the questions.
 * @throws CommandError 'interrupted' after Ctrl+C or Ctrl+D, or when the terminal is closed.
 */
export async function askSecrets(
  questions: string[],
  check: (input: string) => string,
  { signal, io }: { signal: AbortSignal; io: Io },
): Promise<string[]> {
  const unseen = new Writable({ write: (_shown, _encoding, done) => done() })
  // Without a history: the arrow up must not fill in "The same again".
  const reader = createInterface({ input: io.stdin, output: unseen, terminal: true, historySize: 0, signal })
  const lines = reader[Symbol.asyncIterator]()
  const inputs: string[] = []
  try {
    for (const question of questions) {
      io.stderr.write(question)
      const { done, value } = await lines.next()
      io.stderr.write('\n')
      if (done) {
        // In this mode the terminal does not turn Ctrl+C into a signal.
        io.emit('SIGINT')
        signal.throwIfAborted()
        throw new CommandError(exitCodes.interrupted, '')
      }
      inputs.push(check(value))
    }
    return inputs
  } finally {
    reader.close()
  }
}
