import { asc, eq, getTableColumns } from 'drizzle-orm'
import { audit } from '#db/audit/operations.ts'
import { UserError } from '#db/errors.ts'
import { type Language, languageNames } from '#db/language/languages.ts'
import { type Call, operation, operationWithoutInput } from '#db/operation.ts'
import { db, transaction } from '#db/storage/client.ts'
import { listEveryVolunteerRole } from '#db/volunteer-role/operations.ts'
import { fromTheList } from '#db/volunteer-role/schema.ts'
import { volunteerRoles } from '#db/volunteer-role/table.ts'
import {
  type EventLanguages,
  eventTranslation,
  namedLanguage,
  type StoredTranslation,
  type TranslatedTexts,
} from './schema.ts'
import { events, eventTranslations } from './table.ts'

const columns = getTableColumns(eventTranslations)

/** The language of the event itself, and its texts in all others. */
export const getEventLanguages = operationWithoutInput(async (): Promise<EventLanguages> => {
  const [language, translations] = await Promise.all([
    readLanguage(),
    db.select(columns).from(eventTranslations).orderBy(asc(columns.language)),
  ])
  return { language, translations }
})

/**
 * Stores the texts of the event in one language, replacing all that were stored; without any text visitors read the
 * first version again.
 * @throws UserError 'invalid' for the language of the event itself and for an unknown role.
 */
export const saveEventTranslation = operation(
  eventTranslation,
  async ({ language, ...texts }, call): Promise<EventLanguages> => {
    await transaction(async (tx) => {
      if (language === (await readLanguage())) {
        const todo = 'Change its own texts, or say that they are in another language.'
        throw new UserError('invalid', `The event itself is in ${languageNames[language]}. ${todo}`).at('language')
      }
      await refuseUnknownRoles(texts.roles)
      if (isEmpty(texts)) {
        const removed = await tx.delete(eventTranslations).where(eq(columns.language, language)).returning()
        if (removed.length > 0) await audit(tx, call, 'event translation removed', language)
        return
      }
      await tx
        .insert(eventTranslations)
        .values({ language, ...texts })
        .onConflictDoUpdate({ target: columns.language, set: texts })
      await audit(tx, call, 'event translated', language)
    })
    return getEventLanguages(call)
  },
)

/**
 * Sets the language of the event itself.
 * @throws UserError 'not-found' while nothing is stored; 'invalid' for a language into which it is translated.
 */
export const changeEventLanguage = operation(namedLanguage, async ({ language }, call): Promise<EventLanguages> => {
  await transaction(async (tx) => {
    if ((await readTranslation(language)) !== undefined) {
      const name = languageNames[language]
      const todo = `Remove that translation, then say that the event itself is in ${name}.`
      throw new UserError('invalid', `The event is translated into ${name} already. ${todo}`).at('language')
    }
    const changed = await tx.update(events).set({ language }).returning({ language: events.language })
    if (changed.length === 0) {
      throw new UserError('not-found', 'There is no event yet. Write its texts, then say which language they are in.')
    }
    await audit(tx, call, 'event language changed', language)
  })
  return getEventLanguages(call)
})

/**
 * The translated texts for visitors of one language. `language` is that of all other texts; `roles` maps the church's
 * names of roles to their translations.
 */
export const findEventTranslation = operation(namedLanguage, async ({ language }, call): Promise<FoundTranslation> => {
  const [first, stored] = await Promise.all([readLanguage(), readTranslation(language)])
  if (first === language || stored === undefined) return { language: first, texts: {}, roles: {} }
  const { roles, language: _, ...texts } = stored
  return {
    language: first,
    texts: Object.fromEntries(Object.entries(texts).filter(([, text]) => text)),
    roles: await namedRoles(roles, call),
  }
})

export type FoundTranslation = {
  language: Language
  texts: Partial<Omit<TranslatedTexts, 'roles'>>
  roles: Record<string, string>
}

async function readLanguage(): Promise<Language> {
  const [row] = await db.select({ language: events.language }).from(events)
  return row?.language ?? 'en'
}

async function readTranslation(language: Language): Promise<StoredTranslation | undefined> {
  const [row] = await db.select(columns).from(eventTranslations).where(eq(columns.language, language))
  return row
}

/** The translations by the names of the roles. Visitors must not learn the names of retired ones. */
async function namedRoles(translated: TranslatedTexts['roles'], call: Call): Promise<Record<string, string>> {
  if (Object.keys(translated).length === 0) return {}
  const roles = await listEveryVolunteerRole(call)
  const shown = roles.filter(({ id, retired }) => translated[id] && !(retired && call.role === 'visitor'))
  return Object.fromEntries(shown.map(({ id, name }) => [name, translated[id] ?? '']))
}

async function refuseUnknownRoles(translated: TranslatedTexts['roles']): Promise<void> {
  const ids = Object.keys(translated)
  if (ids.length === 0) return
  const known = await db.select({ id: volunteerRoles.id }).from(volunteerRoles)
  if (ids.some((id) => !known.some((role) => String(role.id) === id)))
    throw new UserError('invalid', fromTheList).at('roles')
}

function isEmpty({ roles, ...texts }: TranslatedTexts): boolean {
  return [...Object.values(texts), ...Object.values(roles)].every((text) => text === '')
}
