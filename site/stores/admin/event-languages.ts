import { translatedNames } from '#db/event/content.ts'
import type { EventLanguages, TranslatedTexts } from '#db/event/schema.ts'
import { isLanguage, type Language, languages } from '#db/language/languages.ts'
import { ResponseError, request, revisionOf } from '#site/lib/request.ts'
import { sessionDraft } from '#site/lib/session.ts'
import { createResource } from '#site/stores/resources.ts'
import { said } from '#site/texts/said.ts'
import { t } from '#site/texts/texts.ts'
import { makeChangeable, tellFailedAct } from './changeable.ts'

/** The event in one language as the server last had it; without texts where it had nothing. */
export type KnownTranslation = { texts?: TranslatedTexts | undefined; revision?: number | undefined }

/** A text of the event; the roles stand beside them. */
export type TranslatedName = keyof typeof translatedNames

/** A translation that is being edited, and what the server had when the edit began. */
export type TranslationDraft = {
  language: Language
  texts: TranslatedTexts
  known: KnownTranslation
  /** What is known was stored by someone else meanwhile: the editor chooses between that and their own. */
  contested?: boolean
}

const names = Object.keys(translatedNames) as TranslatedName[]

/** What is typed stays in its tab until it is saved or canceled. */
export const translationDraft = sessionDraft<TranslationDraft>('translation-draft', (text) => {
  const { language, texts, known, contested } = JSON.parse(text)
  if (!isLanguage(language)) return undefined
  return { language, texts: textsIn(texts), known: Object(known), contested: contested === true }
})

export function beginTranslation(language: Language, known: KnownTranslation): TranslationDraft {
  return { language, known, texts: textsIn(known.texts) }
}

export function isEmpty(texts: TranslatedTexts): boolean {
  return [...names.map((name) => texts[name]), ...Object.values(texts.roles)].every((text) => text.trim() === '')
}

export const eventLanguages = makeChangeable(
  createResource('/api/event/translations', (error) =>
    tellFailedAct(t('Failed to load the languages of the event'), error),
  ),
)

/** Says in which language the event itself is written. */
export function changeEventLanguage(current: EventLanguages, language: Language): Promise<boolean> {
  return eventLanguages.change(current, {
    send: async () => (await request('PATCH /api/event/translations', { body: { language } })).json(),
    notice: { title: t('Language Saved'), description: t('Screen readers now read the event in that language.') },
    failure: (error) => sentenceIn(error) ?? t('Failed to save the language'),
  })
}

/** @throws as `request` does, but for a language without any text. */
export async function readTranslation(language: Language): Promise<KnownTranslation> {
  try {
    const reply = await request(`GET /api/event/translations/${language}`)
    return { texts: await reply.json(), revision: revisionOf(reply) }
  } catch (error) {
    if (hasStatus(error, 404)) return {}
    throw error
  }
}

/**
 * Stores the texts of one language in place of those that are known.
 * @returns 'changed-meanwhile' where the server has others than those.
 */
export async function saveTranslation(
  current: EventLanguages,
  language: Language,
  texts: TranslatedTexts,
  known: KnownTranslation,
): Promise<'stored' | 'changed-meanwhile' | 'failed'> {
  let meanwhile = false
  const isStored = await eventLanguages.change(current, {
    send: async (stored) => {
      const headers = headersFor(known)
      const reply = await request(`PUT /api/event/translations/${language}`, { body: texts, headers })
      // Its status alone counts: a reply that is cut off does not undo what is stored.
      reply.body?.cancel()
      return { ...stored, translations: languages.filter((one) => one === language || isIn(stored, one)) }
    },
    notice: { title: t('Translation Saved'), description: t('Visitors who choose that language read it from now on.') },
    failure: (error) => {
      meanwhile = hasStatus(error, 412)
      return meanwhile ? t('Someone else has changed this translation.') : t('Failed to save the translation')
    },
  })
  return isStored ? 'stored' : meanwhile ? 'changed-meanwhile' : 'failed'
}

/** Removes the texts of one language; the notice brings back those that are known. */
export function removeTranslation(
  current: EventLanguages,
  language: Language,
  { texts }: KnownTranslation,
): Promise<boolean> {
  const undo = {
    label: t('Undo'),
    altText: t('Restore the translation'),
    onPress: () => texts && saveTranslation(current, language, texts, {}),
  }
  return eventLanguages.change(current, {
    send: async (stored) => {
      await request(`DELETE /api/event/translations/${language}`)
      return { ...stored, translations: stored.translations.filter((one) => one !== language) }
    },
    notice: {
      title: t('Translation Removed'),
      description: t('Visitors read the event as it was first written.'),
      action: undo,
    },
    failure: (error) => sentenceIn(error) ?? t('Failed to remove the translation'),
  })
}

/** Where a proxy took the revision away, whatever there is gets replaced, as without this page. */
function headersFor({ texts, revision }: KnownTranslation) {
  if (texts === undefined) return { 'If-None-Match': '*' }
  return revision === undefined ? {} : { 'If-Match': `"${revision}"` }
}

function isIn({ translations }: EventLanguages, language: Language): boolean {
  return translations.includes(language)
}

function hasStatus(error: unknown, status: number): boolean {
  return error instanceof ResponseError && error.status === status
}

/** What the server says of it. */
function sentenceIn(error: unknown): string | undefined {
  return error instanceof ResponseError && error.detail ? said(error.detail) : undefined
}

function textsIn(given: unknown): TranslatedTexts {
  const texts = names.map((name) => [name, Reflect.get(Object(given), name)])
  const roles = Object.entries(Object(Reflect.get(Object(given), 'roles')))
  return {
    ...Object.fromEntries(texts.map(([name, text]) => [name, typeof text === 'string' ? text : ''])),
    roles: Object.fromEntries(roles.filter(([, name]) => typeof name === 'string')),
  }
}
