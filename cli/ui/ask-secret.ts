import { createInterface, type Interface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Io } from '../io.ts'
import { onceQuiet } from './use-listening.ts'

/**
 * Asks for secret texts one after the other and does not echo them. A paste may fill all of them at once; input from
 * before the first question was shown is dropped. Undefined after Ctrl+C, or when the terminal is closed. An error that
 * a check throws ends the questions.
 */
export async function askSecrets(
  questions: { text: string; check?: (input: string) => void }[],
  { signal, io: { stdin, stderr } }: { signal: AbortSignal; io: Io },
): Promise<string[] | undefined> {
  // Ink unrefs it after its questions: the process would end while this one waits.
  stdin.ref()
  const output = new Writable({ write: (_shown, _encoding, done) => done() })
  // Without a history: the arrow up must not fill in "The same again". Ctrl+C, Ctrl+D and the signal close it.
  const reader = createInterface({ input: stdin, output, terminal: true, historySize: 0, signal })
  try {
    if (!(await forgetTypedAhead(reader, stdin))) return undefined
    const lines = reader[Symbol.asyncIterator]()
    const inputs: string[] = []
    for (const { text, check } of questions) {
      stderr.write(text)
      const { done, value: input } = await lines.next()
      stderr.write('\n')
      if (done) return undefined
      check?.(input)
      inputs.push(input)
    }
    return inputs
  } finally {
    reader.close()
  }
}

/** Drops whatever is typed, until typing has stopped. @returns false if the terminal was closed meanwhile. */
async function forgetTypedAhead(reader: Interface, stdin: Io['stdin']): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const quiet = onceQuiet(() => resolve(true))
  stdin.on('data', quiet.again)
  reader.once('close', () => resolve(false))
  const isOpen = await promise
  quiet.stop()
  stdin.off('data', quiet.again)
  if (isOpen) for (const name of ['e', 'u']) reader.write(null, { ctrl: true, name })
  return isOpen
}
