import type { StoredTranslation } from '#db/event/schema.ts'
import { isLanguage, type Language } from '#db/language/languages.ts'
import { request } from '#site/lib/request.ts'
import { sessionDraft } from '#site/lib/session.ts'
import { t } from '#site/texts/texts.ts'
import { changeableAt } from './changeable.ts'

/** The texts of one language by field: those of the event, and e.g. `role.3` for the name of a role. */
export type TypedTexts = Record<string, string>

/** A translation being edited. */
export type TranslationDraft = { language: Language; texts: TypedTexts }

export const translationDraft = sessionDraft<TranslationDraft>('translation-draft', (text) => {
  const { language, texts } = JSON.parse(text)
  if (!isLanguage(language) || !Object.values(Object(texts)).every((each) => typeof each === 'string')) return undefined
  return { language, texts: Object(texts) }
})

export function isEmpty(texts: TypedTexts): boolean {
  return Object.values(texts).every((text) => text.trim() === '')
}

/** Begins with what is stored of a language, or with nothing. */
export function beginTranslation(language: Language, stored: StoredTranslation | undefined): TranslationDraft {
  if (stored === undefined) return { language, texts: {} }
  const { language: _, roles, ...texts } = stored
  const names = Object.entries(roles).map(([id, name]) => [roleField(id), name])
  return { language, texts: { ...texts, ...Object.fromEntries(names) } }
}

export const eventLanguages = changeableAt('/api/event/translations')

export function changeEventLanguage(language: Language): Promise<boolean> {
  return eventLanguages.change(() => request('PATCH /api/event/translations', { body: { language } }), {
    notice: { title: t('Language Saved'), description: t('Screen readers now read the event in that language.') },
    failure: t('Failed to save the language'),
  })
}

/** Replaces the texts of one language. */
export function saveTranslation({ language, texts }: TranslationDraft): Promise<boolean> {
  return eventLanguages.change(() => request(`PUT /api/event/translations/${language}`, { body: sentTexts(texts) }), {
    notice: { title: t('Translation Saved'), description: t('Visitors who choose that language read it from now on.') },
    failure: t('Failed to save the translation'),
  })
}

/** Visitors then read the event as it was first written. Undo stores the texts again. */
export function removeTranslation({ language, texts }: TranslationDraft): Promise<boolean> {
  return eventLanguages.change(() => request(`PUT /api/event/translations/${language}`, { body: {} }), {
    notice: {
      title: t('Translation Removed'),
      description: t('Visitors read the event as it was first written.'),
      action: {
        label: t('Undo'),
        altText: t('Restore the translation'),
        onPress: () => saveTranslation({ language, texts }),
      },
    },
    failure: t('Failed to remove the translation'),
  })
}

export function roleField(id: number | string): string {
  return `role.${id}`
}

function sentTexts(typed: TypedTexts) {
  const roles: Record<string, string> = {}
  const texts: Record<string, string> = {}
  for (const [name, text] of Object.entries(typed)) {
    const [, role] = /^role\.(\d+)$/.exec(name) ?? []
    if (role === undefined) texts[name] = text
    else roles[role] = text
  }
  return { ...texts, roles }
}
