import type { EventContent } from '#db/event/content.ts'
import { translatedNames } from '#db/event/content.ts'
import type { FoundTranslation } from '#db/event/translations.ts'
import type { Language } from '#db/language/languages.ts'
import type { TextLanguages } from '#site/islands/event-card/text-languages.ts'

/** What a page shows in its own language in place of the first version, and what it shows in another one. */
export type ShownTranslation = {
  texts: Partial<EventContent>
  languages: TextLanguages
}

/** @param language of the page. */
export function shownTranslation({ language: first, texts }: FoundTranslation, language: Language): ShownTranslation {
  const shown: ShownTranslation = { texts: {}, languages: {} }
  for (const [name, shownName] of Object.entries(translatedNames)) {
    const text = texts[name as keyof typeof texts]
    if (text) shown.texts[shownName] = text
    else if (first !== language) shown.languages[shownName] = first
  }
  return shown
}
