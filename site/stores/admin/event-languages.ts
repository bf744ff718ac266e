import type { Language } from '#db/language/languages.ts'
import { request } from '#site/lib/request.ts'
import { t } from '#site/texts/texts.ts'
import { changeableAt } from './changeable.ts'

export const eventLanguages = changeableAt('/api/event/translations')

export function changeEventLanguage(language: Language): Promise<boolean> {
  return eventLanguages.change(() => request('PATCH /api/event/translations', { body: { language } }), {
    notice: { title: t('Language Saved'), description: t('Screen readers now read the event in that language.') },
    failure: t('Failed to save the language'),
  })
}

/**
 * Replaces the texts of one language.
 * @param typed by field: those of the event, and e.g. `role.3` for the name of a role.
 */
export function saveTranslation(language: Language, typed: FormData): Promise<boolean> {
  const roles: Record<string, string> = {}
  const texts: Record<string, string> = {}
  for (const [name, text] of typed) {
    if (name.startsWith('role.')) roles[name.slice('role.'.length)] = String(text)
    else texts[name] = String(text)
  }
  const body = { ...texts, roles }
  return eventLanguages.change(() => request(`PUT /api/event/translations/${language}`, { body }), {
    notice: { title: t('Translation Saved'), description: t('Visitors who choose that language read it from now on.') },
    failure: t('Failed to save the translation'),
  })
}

/** Visitors then read the event as it was first written. */
export function removeTranslation(language: Language): Promise<boolean> {
  return eventLanguages.change(() => request(`PUT /api/event/translations/${language}`, { body: {} }), {
    notice: { title: t('Translation Removed'), description: t('Visitors read the event as it was first written.') },
    failure: t('Failed to remove the translation'),
  })
}
