import type { Language } from '#db/language/languages.ts'
import { locale } from './plural.ts'

/** The name of a language as it stands in a sentence, e.g. `Spanish`. */
export function languageName(language: Language): string {
  return new Intl.DisplayNames(locale(), { type: 'language' }).of(language) ?? language
}

/** A text as it stands alone. Names of languages are written small in many of them. */
export function capitalized(text: string): string {
  return text.charAt(0).toLocaleUpperCase(locale()) + text.slice(1)
}
