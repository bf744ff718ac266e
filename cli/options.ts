import { InvalidArgumentError } from '@commander-js/extra-typings'

/** The last part of a command's help. */
export function examples(...lines: string[]): string {
  return ['', 'Examples:', ...lines.map((line) => `  ${line}`)].join('\n')
}

export function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Give a whole number from 1 up.')
}

/** An empty text comes from an unset shell variable, and must not mean the default. */
export function notEmpty(text: string): string {
  if (text.trim() !== '') return text
  throw new InvalidArgumentError('It is empty.')
}
