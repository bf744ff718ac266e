import { type ErrorCode, stackFramesOf, UserError } from '#db/values/errors.ts'

export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  configuration: 78,
  interrupted: 130,
} as const

/** Ends the command with this exit code, after printing the sentence unless it is empty. */
export class CommandError extends Error {
  override name = 'CommandError'
  readonly exitCode: number

  constructor(exitCode: number, sentence: string) {
    super(sentence)
    this.exitCode = exitCode
  }
}

/** For a command line that is wrong: after the sentence the command prints which help to read. */
export function usageError(sentence: string): CommandError {
  return new CommandError(exitCodes.usage, sentence)
}

export function failure(sentence: string): CommandError {
  return new CommandError(exitCodes.failed, sentence)
}

export function notFoundError(sentence: string): CommandError {
  return new CommandError(exitCodes.notFound, sentence)
}

const permission = 'This account may not write there: give another --out, or the right to write.'

const fileSentences: Record<string, string> = {
  EACCES: permission,
  EPERM: permission,
  EROFS: permission,
  ENOENT: 'There is no such folder: create it first, or give another --out.',
  ENOTDIR: 'A part of that path is a file, not a folder: give another --out.',
  EISDIR: 'That is a folder: give the name of a file in it with --out.',
  ENOSPC: 'The disk is full: make room, then run it again.',
}

/** The error for a file that cannot be written; `code` is the system's, e.g. `ENOSPC`. */
export function fileError(code: string, file: string): CommandError {
  if (code === 'EEXIST') return failure(`${file} exists already. Add --force to replace it, or give another --out.`)
  const sentence = fileSentences[code] ?? `It cannot be written (${code}).`
  return failure(`${sentence} Tried: ${file}`)
}

/** Turns an error of the file system into a sentence about the file. Returns any other error unchanged. */
export function explainFileError(error: unknown, file: string): unknown {
  const isOfFiles = error instanceof Error && 'syscall' in error && 'code' in error
  return isOfFiles ? fileError(String(error.code), file) : error
}

const codeOf: Partial<Record<ErrorCode, number>> = {
  invalid: exitCodes.usage,
  'not-found': exitCodes.notFound,
  configuration: exitCodes.configuration,
  damaged: exitCodes.configuration,
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof CommandError) return error.exitCode
  if (error instanceof UserError) return codeOf[error.code] ?? exitCodes.failed
  return exitCodes.failed
}

/** The message for an error: sentences that say what to do next. */
export function sentencesOf(error: unknown): string[] {
  if (error instanceof UserError) {
    const fields = error.fields.map(({ message }) => message)
    return fields.length > 0 ? fields : [error.message]
  }
  if (error instanceof CommandError) return error.message === '' ? [] : [error.message]
  return [bugReport(error)]
}

function bugReport(error: unknown): string {
  const name = error instanceof Error ? error.name : typeof error
  const places = stackFramesOf(error).slice(0, 5)
  return [`This is a bug in rsvp (${name}). Please report it with these lines:`, ...places].join('\n  ')
}
