import type { EventContent } from '#db/event/content.ts'
import { translatedNames } from '#db/event/content.ts'
import type { TranslatedTexts } from '#db/event/schema.ts'
import { isLanguage, type Language } from '#db/language/languages.ts'
import { readSession, writeSession } from '#site/lib/session.ts'
import type { KnownTranslation } from '#site/stores/admin/event-languages.ts'

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

/** Key in session storage: the draft stays in its tab until it is saved or canceled. */
const DRAFT = 'translation-draft'

const names = Object.keys(translatedNames) as TranslatedName[]

export function draftOf(language: Language, known: KnownTranslation): TranslationDraft {
  return { language, known, texts: textsIn(known.texts) }
}

/** Ignores what another program or an older version stored under the same key. */
export function restoreDraft(): TranslationDraft | undefined {
  try {
    const { language, texts, known, contested } = JSON.parse(readSession(DRAFT))
    if (!isLanguage(language)) return undefined
    return { language, texts: textsIn(texts), known: Object(known), contested: contested === true }
  } catch {
    return undefined
  }
}

export function keepDraft(draft: TranslationDraft): void {
  writeSession(DRAFT, JSON.stringify(draft))
}

export function forgetDraft(): void {
  writeSession(DRAFT, '')
}

/** What the event itself says there; empty where it says nothing. */
export function firstText(event: EventContent | null, name: TranslatedName): string {
  return event?.[translatedNames[name]] ?? ''
}

export function isEmpty(texts: TranslatedTexts): boolean {
  return [...names.map((name) => texts[name]), ...Object.values(texts.roles)].every((text) => text.trim() === '')
}

function textsIn(given: unknown): TranslatedTexts {
  const texts = names.map((name) => [name, Reflect.get(Object(given), name)])
  const roles = Object.entries(Object(Reflect.get(Object(given), 'roles')))
  return {
    ...Object.fromEntries(texts.map(([name, text]) => [name, typeof text === 'string' ? text : ''])),
    roles: Object.fromEntries(roles.filter(([, name]) => typeof name === 'string')),
  }
}
