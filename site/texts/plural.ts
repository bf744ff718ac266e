import { localeOf } from '#db/language/languages.ts'
import { fillIn, inUse, type Placeholder, type Values } from './texts.ts'

/** For `Intl`. */
export function locale(): string {
  return localeOf(inUse().language)
}

/** The form of a text that goes with the number, which stands in it as `{count}`; the catalogue has it under `other`. */
export function plural<Other extends string>(
  count: number,
  one: string,
  other: Other,
  ...[values]: Values<Exclude<Placeholder<Other>, 'count'>>
): string {
  const forms = inUse().catalogue[other] ?? { one, other }
  const form = typeof forms === 'string' ? forms : forms[new Intl.PluralRules(locale()).select(count)]
  return fillIn(form ?? other, { ...values, count: count.toLocaleString(locale()) })
}
