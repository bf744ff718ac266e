import { type Command, type CommandUnknownOpts, InvalidArgumentError } from '@commander-js/extra-typings'
import type { Call } from '#db/call.ts'
import type { Config } from '#db/config/config.ts'
import type { Io } from './io.ts'

/** The needs of a command: the open database, only the settings of a site, or the whole process with its signals. */
export type Needs = 'database' | 'nothing' | 'process'

/** Passed to every command, besides its own arguments and options. */
export type Context = {
  call: Call
  io: Io
  /** Say nothing when all went well. */
  quiet: boolean
  /** Aborted by Ctrl+C or by a signal; its reason is the error to end with. */
  signal: AbortSignal
  /**
   * The current settings, from the options, the environment and .env.
   * @throws UserError 'configuration' that names every mistake at once.
   */
  readConfig: () => Config
  /**
   * For the few commands that do something first; for all others it is open already. It is closed after every command.
   * @returns the copy that was kept before migrating, if any.
   * @throws UserError 'configuration' if it is missing but must exist, or cannot be used.
   */
  openDatabase: (opening: { mustExist: boolean; otherVersion?: 'migrate' | 'accept' }) => Promise<string | undefined>
}

/** Turns what a command does into an action for commander: it gets a context besides its arguments and options. */
export type Run = <Parameters extends unknown[]>(
  needs: Needs,
  work: (...parameters: [...Parameters, Context]) => Promise<void>,
) => (...received: [...Parameters, CommandUnknownOpts]) => Promise<void>

/** Every file of `commands/` exports it: declares the arguments, options and help of the command, and what it does. */
export type Declare = (command: Command, run: Run) => void

/** Arguments of `addHelpText` for the end of a command's help. */
export function examples(...lines: string[]): ['after', string] {
  return ['after', ['', 'Examples:', ...lines.map((line) => `  ${line}`)].join('\n')]
}

export function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Give a whole number from 1 up.')
}

/** A text that is not empty: an empty one comes from an unset shell variable, and must not mean the default. */
export function notEmpty(text: string): string {
  if (text.trim() !== '') return text
  throw new InvalidArgumentError('It is empty.')
}
