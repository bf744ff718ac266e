/** The languages of the site, by their BCP 47 tags. English is the language of the source code. */
export const languages = ['en', 'es', 'fr', 'pt', 'de', 'ko', 'ar'] as const
export type Language = (typeof languages)[number]

/** The name of each language in that language. */
export const languageNames: Record<Language, string> = {
  en: 'English',
  es: 'Español',
  fr: 'Français',
  pt: 'Português',
  de: 'Deutsch',
  ko: '한국어',
  ar: 'العربية',
}

export function isLanguage(tag: string | null | undefined): tag is Language {
  return languages.some((language) => language === tag)
}

export function directionOf(language: Language): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr'
}

/** The locale for `Intl`: English of the United States, and Arabic with the digits 0 to 9. */
export function localeOf(language: Language): string {
  if (language === 'ar') return 'ar-u-nu-latn'
  return language === 'en' ? 'en-US' : language
}

/** The locales of Open Graph, which have a country. */
export const openGraphLocales: Record<Language, string> = {
  en: 'en_US',
  es: 'es_ES',
  fr: 'fr_FR',
  pt: 'pt_BR',
  de: 'de_DE',
  ko: 'ko_KR',
  ar: 'ar_AR',
}
