import { createInterface, type Interface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { CommandError, exitCodes } from '../exit-code.ts'
import type { Io } from '../io.ts'
import { displayed } from '../output/plain-text.ts'
import { onceQuiet } from './use-listening.ts'

type AskedText = { label: string; preset: string; refusal?: (input: string) => string | undefined }

type Asking = { signal: AbortSignal; io: Io }

/**
 * Asks for a text; enter alone takes the preset, which is shown. `refusal` returns what is wrong with an input, if
 * anything, and the question is asked again.
 * @throws CommandError 'interrupted' after Ctrl+C, or when the terminal is closed.
 */
export function askForText({ label, preset, refusal }: AskedText, asking: Asking): Promise<string> {
  const { stdout } = asking.io
  const prompt = preset === '' ? `${label} ` : `${label} (${displayed(preset)}) `
  return withLines(stdout, asking, async (next) => {
    for (;;) {
      const given = displayed(await next(prompt)).trim() || preset
      const refused = refusal?.(given)
      if (refused === undefined) return given
      stdout.write(`${refused}\n`)
    }
  })
}

/**
 * Asks for secret texts one after the other and does not echo them. A paste may fill all of them at once. An error that
 * a check throws ends the questions.
 * @throws CommandError 'interrupted' after Ctrl+C, or when the terminal is closed.
 */
export function askSecrets(
  questions: { text: string; check?: (input: string) => void }[],
  asking: Asking,
): Promise<string[]> {
  const { stderr } = asking.io
  const unseen = new Writable({ write: (_shown, _encoding, done) => done() })
  return withLines(unseen, asking, async (next) => {
    const inputs: string[] = []
    for (const { text, check } of questions) {
      stderr.write(text)
      const input = await next('').finally(() => stderr.write('\n'))
      check?.(input)
      inputs.push(input)
    }
    return inputs
  })
}

/** Reads lines with the editing keys of Node, once typing has stopped. Ctrl+C, Ctrl+D and the signal end it. */
async function withLines<Result>(
  output: Writable,
  { signal, io }: Asking,
  ask: (next: (prompt: string) => Promise<string>) => Promise<Result>,
): Promise<Result> {
  const { stdin } = io
  // Ink unrefs it after its questions: the process would end while this one waits.
  stdin.ref()
  // Without a history: the arrow up must not fill in "The same again".
  const reader = createInterface({ input: stdin, output, terminal: true, historySize: 0, signal })
  let isOpen = true
  reader.once('close', () => {
    isOpen = false
  })
  try {
    await forgetTypedAhead(reader, stdin)
    // Not before: it keeps every line from then on.
    const lines = reader[Symbol.asyncIterator]()
    return await ask(async (prompt) => {
      reader.setPrompt(prompt)
      if (isOpen) {
        reader.prompt()
        const { done, value } = await lines.next()
        if (!done) return value
      }
      output.write('\n')
      // In this mode the terminal does not turn Ctrl+C into a signal.
      io.emit('SIGINT')
      signal.throwIfAborted()
      throw new CommandError(exitCodes.interrupted, '')
    })
  } finally {
    reader.close()
  }
}

/** Drops whatever is typed, until typing has stopped or the terminal was closed. */
async function forgetTypedAhead(reader: Interface, stdin: Io['stdin']): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const quiet = onceQuiet(() => resolve(true))
  stdin.on('data', quiet.again)
  reader.once('close', () => resolve(false))
  const isOpen = await promise
  quiet.stop()
  stdin.off('data', quiet.again)
  if (isOpen) for (const name of ['e', 'u']) reader.write(null, { ctrl: true, name })
}
