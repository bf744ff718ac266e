import { InvalidArgumentError } from '@commander-js/extra-typings'

/** A number from 1 up, as an option's value. */
export function wholeNumber(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Give a whole number from 1 up.')
}
