import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Io } from '../io.ts'
import { onceQuiet } from './use-listening.ts'

/**
 * Asks for secret texts one after the other and does not echo them. A paste may fill all of them at once; input from
 * before the first question was shown is dropped. Undefined after Ctrl+C, or when the terminal is closed. What a check of an
 * input throws ends the questions.
 */
export async function askSecrets(
  questions: { text: string; check?: (input: string) => void }[],
  { signal, io: { stdin, stderr } }: { signal: AbortSignal; io: Io },
): Promise<string[] | undefined> {
  // Ink unrefs it after its questions: the process would end while this one waits.
  stdin.ref()
  const output = new Writable({ write: (_shown, _encoding, done) => done() })
  // Without a history: the arrow up must not fill in "The same again".
  const reader = createInterface({ input: stdin, output, terminal: true, historySize: 0 })
  const interrupted = new AbortController()
  reader.on('SIGINT', () => interrupted.abort())
  reader.on('close', () => interrupted.abort())
  const abortion = AbortSignal.any([signal, interrupted.signal])
  const lines: string[] = []
  const waiting: ((line: string) => void)[] = []
  reader.on('line', (line) => {
    const take = waiting.shift()
    if (take === undefined) lines.push(line)
    else take(line)
  })

  function nextLine(): Promise<string> {
    const early = lines.shift()
    if (early !== undefined) return Promise.resolve(early)
    // Ctrl+C may have been pressed ahead of the question; nothing would come any more.
    abortion.throwIfAborted()
    return new Promise((resolve, reject) => {
      waiting.push(resolve)
      abortion.addEventListener('abort', () => reject(abortion.reason), { once: true })
    })
  }

  /** Drops whatever is typed, until typing has stopped. */
  async function forgetTypedAhead(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const quiet = onceQuiet(resolve)
    stdin.on('data', quiet.again)
    abortion.addEventListener('abort', () => reject(abortion.reason), { once: true })
    try {
      abortion.throwIfAborted()
      await promise
    } finally {
      quiet.stop()
      stdin.off('data', quiet.again)
    }
    for (const name of ['e', 'u']) reader.write(null, { ctrl: true, name })
    lines.length = 0
  }

  try {
    const inputs: string[] = []
    await forgetTypedAhead()
    for (const { text, check } of questions) {
      stderr.write(text)
      const input = await nextLine()
      stderr.write('\n')
      check?.(input)
      inputs.push(input)
    }
    return inputs
  } catch (error) {
    if (!abortion.aborted) throw error
    stderr.write('\n')
    return undefined
  } finally {
    reader.close()
  }
}
