import type { EventLanguages } from '#db/event/schema.ts'
import { isLanguage, type Language, languages } from '#db/language/languages.ts'
import { ResponseError, request, revisionOf } from '#site/lib/request.ts'
import { sessionDraft } from '#site/lib/session.ts'
import { t } from '#site/texts/texts.ts'
import { attempt, changeableAt } from './changeable.ts'
import { reasonOr } from './reason.ts'

/** The texts of one language by field: those of the event, and e.g. `role.3` for the name of a role. */
export type TypedTexts = Record<string, string>

/** The last known state of one language on the server; without texts if there were none. */
export type KnownTranslation = { texts?: TypedTexts | undefined; revision?: number | undefined }

/** A translation being edited, and the state on the server when the edit began. */
export type TranslationDraft = {
  language: Language
  texts: TypedTexts
  known: KnownTranslation
  /** Another administrator stored `known` meanwhile: the editor chooses between that and their own texts. */
  contested?: boolean
}

export const translationDraft = sessionDraft<TranslationDraft>('translation-draft', (text) => {
  const { language, texts, known, contested } = JSON.parse(text)
  if (!isLanguage(language) || !Object.values(Object(texts)).every((each) => typeof each === 'string')) return undefined
  return { language, texts: Object(texts), known: Object(known), contested: contested === true }
})

export function isEmpty(texts: TypedTexts): boolean {
  return Object.values(texts).every((text) => text.trim() === '')
}

export const eventLanguages = changeableAt('/api/event/translations')

export function changeEventLanguage(current: EventLanguages, language: Language): Promise<boolean> {
  return eventLanguages.change(current, {
    send: async () => (await request('PATCH /api/event/translations', { body: { language } })).json(),
    notice: { title: t('Language Saved'), description: t('Screen readers now read the event in that language.') },
    failure: reasonOr(t('Failed to save the language')),
  })
}

/** Without texts if there are none yet; undefined if that is not known, as a notice then says. */
export function readTranslation(language: Language): Promise<KnownTranslation | undefined> {
  const read = async () => {
    const reply = await request(`GET /api/event/translations/${language}`)
    const { roles, ...texts } = await reply.json()
    const names = Object.entries(roles).map(([id, name]) => [roleField(id), name])
    return { texts: { ...texts, ...Object.fromEntries(names) }, revision: revisionOf(reply) }
  }
  const readIfAny = () =>
    read().catch((error: unknown) => {
      if (hasStatus(error, 404)) return {}
      throw error
    })
  return attempt(readIfAny, { failure: t('Failed to load the translation') })
}

/**
 * Replaces the known texts of one language.
 * @returns 'changed-meanwhile' if the server has others than the known ones.
 */
export async function saveTranslation(
  current: EventLanguages,
  language: Language,
  texts: TypedTexts,
  known: KnownTranslation,
): Promise<'stored' | 'changed-meanwhile' | 'failed'> {
  let meanwhile = false
  const isStored = await eventLanguages.change(current, {
    send: async (stored) => {
      const { revision } = known
      const ifRevision = revision === undefined ? {} : { 'If-Match': `"${revision}"` }
      // If a proxy removed the revision, the stored texts are replaced unconditionally.
      const headers = known.texts === undefined ? { 'If-None-Match': '*' } : ifRevision
      const sent = { body: sentTexts(texts), headers }
      const reply = await request(`PUT /api/event/translations/${language}`, sent)
      // Only the status counts: the texts are stored even if the reply is cut off.
      reply.body?.cancel()
      return { ...stored, translations: languages.filter((one) => [language, ...stored.translations].includes(one)) }
    },
    notice: { title: t('Translation Saved'), description: t('Visitors who choose that language read it from now on.') },
    failure: (error) => {
      meanwhile = hasStatus(error, 412)
      return meanwhile ? t('Someone else has changed this translation.') : t('Failed to save the translation')
    },
  })
  return isStored ? 'stored' : meanwhile ? 'changed-meanwhile' : 'failed'
}

/** Removes the texts of one language; undo restores the known ones. */
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
    failure: reasonOr(t('Failed to remove the translation')),
  })
}

function hasStatus(error: unknown, status: number): boolean {
  return error instanceof ResponseError && error.status === status
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
