import type { Context, Io } from './command.ts'
import { CommandError, exitCodes, failure, usageError } from './errors.ts'
import { displayed, displayedLines, escapedJson } from './plain-text.ts'

/** How to show data: as JSON with --json, on a terminal as a screen, otherwise as lines. */
export function outputKind(json: boolean | undefined, io: Io): 'screen' | 'lines' | 'json' {
  if (json) return 'json'
  return hasTerminal(io) ? 'screen' : 'lines'
}

/**
 * Asks at the terminal for a yes or, with `number`, for that number.
 * @throws CommandError 'usage' without a terminal, 'failed' after a no.
 */
export async function confirm(question: string, { signal, io }: Context, number?: number): Promise<void> {
  if (!hasTerminal(io)) throw usageError('No terminal to confirm on: add --yes to continue.')
  const { draw } = await import('./ui/draw.tsx')
  const { YesOrNo } = await import('./ui/Question.tsx')
  if (await draw(YesOrNo, { text: question, number }, { signal, io })) return
  signal.throwIfAborted()
  throw failure('Nothing was changed.')
}

/** Whether a user can see a screen and press keys. */
export function hasTerminal({ stdin, stdout, env }: Io): boolean {
  return stdin.isTTY && isDrawnOn(stdout, env)
}

/** Whether a stream is a terminal on which more than lines can be drawn. A dumb one, e.g. of an editor, has no cursor. */
export function isDrawnOn(stream: { isTTY: boolean }, { TERM }: Io['env']): boolean {
  return stream.isTTY && TERM !== 'dumb'
}

/**
 * Writes to standard output, and waits until the reader has taken it.
 * @throws CommandError 'done' if the reader closed the pipe, e.g. `rsvp list | head -1`, 'failed' for any other error.
 */
export async function print(text: string, { stdout }: Io): Promise<void> {
  const error = await new Promise<Error | null | undefined>((resolve) => stdout.write(text, resolve))
  if (!error) return
  const code = 'code' in error ? String(error.code) : error.name
  if (code === 'EPIPE') throw new CommandError(exitCodes.done, '')
  throw failure(`The output cannot be written (${code}): make room, or send it elsewhere.`)
}

/** One line for a pipe: cells separated by tabs, without tabs or line breaks of their own. */
export function tabSeparated(cells: (string | number)[]): string {
  return `${cells.map((cell) => displayed(String(cell))).join('\t')}\n`
}

/** Prints cells separated by tabs or, on a terminal, aligned. */
export function printRows(rows: (string | number)[][], io: Io): Promise<void> {
  return print(io.stdout.isTTY ? aligned(rows) : rows.map(tabSeparated).join(''), io)
}

function aligned(rows: (string | number)[][]): string {
  const shown = rows.map((cells) => cells.map((cell) => displayed(String(cell))))
  const widths = shown.reduce<number[]>((widest, cells) => {
    return cells.map((cell, at) => Math.max(cell.length, widest[at] ?? 0))
  }, [])
  const padded = shown.map((cells) => cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '))
  return padded.map((line) => `${line.trimEnd()}\n`).join('')
}

export function printJson(value: unknown, io: Io): Promise<void> {
  return print(`${escapedJson(JSON.stringify(value, null, 2))}\n`, io)
}

export async function printAll(pieces: AsyncIterable<string>, io: Io): Promise<void> {
  for await (const piece of pieces) await print(piece, io)
}

/** Prints a message on standard error, also with --quiet. It may quote what a visitor typed. */
export function printMessage(sentence: string, { stderr }: Io): void {
  stderr.write(`${displayedLines(sentence)}\n`)
}

/** Prints a message, unless --quiet is given. */
export function say(sentence: string, { io, quiet }: Context): void {
  if (!quiet) printMessage(sentence, io)
}

/** Prints a message only on a terminal: cron mails everything that a command prints. */
export function sayAtTerminal(sentence: string, context: Context): void {
  if (context.io.stderr.isTTY) say(sentence, context)
}

/** Prints what a command has done: as JSON with --json, otherwise as a message. */
export async function report(
  result: Record<string, unknown>,
  sentence: string,
  json: true | undefined,
  context: Context,
): Promise<void> {
  if (json) await printJson(result, context.io)
  else say(sentence, context)
}

/** E.g. `1 response` and `2 responses`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
