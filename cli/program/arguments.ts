import { type CommandOptions, type CommandUnknownOpts, InvalidArgumentError } from '@commander-js/extra-typings'

/** A command with its one line in the list of all, and the lines of its description. */
export function command<Name extends string>(
  parent: CommandUnknownOpts,
  name: Name,
  summary: string,
  description: string[],
  options?: CommandOptions,
) {
  return parent.command(name, options).summary(summary).description(description.join(' '))
}

/** Arguments of `addHelpText` for the end of a command's help. */
export function examples(...lines: string[]): ['after', string] {
  return ['after', ['', 'Examples:', ...lines.map((line) => `  ${line}`)].join('\n')]
}

export function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Give a whole number from 1 up.')
}

/** A port to listen on; 0 lets the system choose one. */
export function portNumber(text: string): string {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65535) return text
  throw new InvalidArgumentError('Give a number from 0 to 65535, e.g. 4321.')
}

/** A text that is not empty: an empty one comes from an unset shell variable, and must not mean the default. */
export function notEmpty(text: string): string {
  if (text.trim() !== '') return text
  throw new InvalidArgumentError('It is empty.')
}

/** A folder. Not `-`, which means standard output elsewhere. */
export function folderName(text: string): string {
  if (notEmpty(text) !== '-') return text
  throw new InvalidArgumentError('A backup goes into a folder: give one, e.g. ./backups.')
}
