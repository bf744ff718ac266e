import { idText } from '#db/values/schemas.ts'
import { CommandError, exitCodes } from '../exit-code.ts'

/**
 * Parses the ids of a command line, each once.
 * @throws CommandError 'usage' that names the first word that is not an id.
 */
export function idsOf(words: string[]): number[] {
  return Array.from(new Set(words.map(idOf)))
}

function idOf(word: string): number {
  const id = idText.safeParse(word)
  if (id.success) return id.data
  throw new CommandError(exitCodes.usage, `${JSON.stringify(word)} is not an id. An id is a whole number, e.g. 12.`)
}
