/** The languages of the site, by their BCP 47 tags. English is the language of the source code. */
export const languages = ['en', 'es', 'fr', 'pt', 'de', 'ko', 'ar'] as const
export type Language = (typeof languages)[number]

/** Each as its speakers write it. */
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
