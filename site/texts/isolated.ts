import { directionOf } from '#db/language/languages.ts'
import { inUse } from './texts.ts'

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/** What runs as its own letters do within a text of the other direction: Unicode's isolates keep one from turning the other around. */
export function isolated(text: string): string {
  const needed = directionOf(inUse().language) === 'rtl' || rightToLeft.test(text)
  return needed ? `\u2068${text}\u2069` : text
}

export function isolatedList(names: string[]): string {
  return names.map(isolated).join(', ')
}
