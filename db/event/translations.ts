import { asc, eq, getTableColumns, max } from 'drizzle-orm'
import { audit } from '#db/audit/operations.ts'
import { fieldError, UserError } from '#db/errors.ts'
import { type Language, languageNames } from '#db/language/languages.ts'
import { type Call, operation, operationWithoutInput } from '#db/operation.ts'
import { isRevision } from '#db/revision.ts'
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

export const getEventLanguages = operationWithoutInput(async (): Promise<EventLanguages> => {
  const [language, rows] = await Promise.all([
    readLanguage(),
    db.select({ language: columns.language }).from(eventTranslations).orderBy(asc(columns.language)),
  ])
  return { language, translations: rows.map((row) => row.language) }
})

/**
 * The texts of the event in one language; those that are not translated are empty. Visitors get only the names of roles
 * on offer.
 * @throws UserError 'not-found' if nothing is translated.
 */
export const getEventTranslation = operation(namedLanguage, async ({ language }, call): Promise<StoredTranslation> => {
  const stored = await readTranslation(language)
  if (stored === undefined) throw notTranslated(language)
  const { roles, ...texts } = stored.texts
  const known = await listNamedRoles(roles, call)
  return {
    ...stored,
    texts: { ...texts, roles: Object.fromEntries(known.map(({ id, translated }) => [id, translated])) },
  }
})

/**
 * Stores the texts of the event in one language, replacing all that were stored.
 * @throws UserError 'invalid' for the language of the event itself and for an unknown role; 'already-exists' if
 * `onlyIfNone` is set and there is a translation; 'changed-meanwhile' if the stored revision is not one of
 * `onlyIfRevision`.
 */
export const saveEventTranslation = operation(
  eventTranslation,
  ({ onlyIfNone, onlyIfRevision, language, ...texts }, call) =>
    transaction(async (tx): Promise<StoredTranslation> => {
      if (language === (await readLanguage())) {
        const todo = 'Change its own texts, or say that they are in another language.'
        throw fieldError('language', `The event itself is in ${languageNames[language]}. ${todo}`)
      }
      await refuseUnknownRoles(texts.roles)
      const before = await readTranslation(language)
      const isOther = onlyIfRevision !== undefined && !isRevision(before, onlyIfRevision)
      if (isOther || (onlyIfNone && before !== undefined)) {
        throw new UserError(
          onlyIfNone ? 'already-exists' : 'changed-meanwhile',
          `The event in ${languageNames[language]} was changed meanwhile. Load it again, then change it.`,
        )
      }
      // Higher than all others, and at least the time: the revision of a removed translation must not return for other
      // texts.
      const [latest] = await tx.select({ revision: max(columns.revision) }).from(eventTranslations)
      const change = { ...texts, revision: Math.max((latest?.revision ?? 0) + 1, call.now.getTime()) }
      const [stored] = await tx
        .insert(eventTranslations)
        .values({ language, ...change })
        .onConflictDoUpdate({ target: columns.language, set: change })
        .returning(columns)
      if (stored === undefined) throw new Error('The translation was stored and then not found.')
      await audit(tx, call, 'event translated', language)
      return toTranslation(stored)
    }),
)

/**
 * Removes the translation into one language; visitors then read the first version.
 * @throws UserError 'not-found' if nothing is translated.
 */
export const removeEventTranslation = operation(namedLanguage, ({ language }, call) =>
  transaction(async (tx): Promise<void> => {
    if ((await readTranslation(language)) === undefined) throw notTranslated(language)
    await tx.delete(eventTranslations).where(eq(columns.language, language))
    await audit(tx, call, 'event translation removed', language)
  }),
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
      throw fieldError('language', `The event is translated into ${name} already. ${todo}`)
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
  const { roles, ...texts } = stored.texts
  const named = await listNamedRoles(roles, call)
  return {
    language: first,
    texts: Object.fromEntries(Object.entries(texts).filter(([, text]) => text)),
    roles: Object.fromEntries(named.map(({ name, translated }) => [name, translated])),
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
  return row && toTranslation(row)
}

/** The roles that are translated. Visitors must not learn the names of retired ones. */
async function listNamedRoles(translated: TranslatedTexts['roles'], call: Call) {
  if (Object.keys(translated).length === 0) return []
  const roles = await listEveryVolunteerRole(call)
  return roles.flatMap(({ id, name, retired }) => {
    const text = translated[id]
    return text === undefined || (retired && call.role === 'visitor') ? [] : [{ id, name, translated: text }]
  })
}

async function refuseUnknownRoles(translated: TranslatedTexts['roles']): Promise<void> {
  const ids = Object.keys(translated)
  if (ids.length === 0) return
  const known = await db.select({ id: volunteerRoles.id }).from(volunteerRoles)
  if (ids.some((id) => !known.some((role) => String(role.id) === id))) throw fieldError('roles', fromTheList)
}

function toTranslation({ language, revision, ...texts }: typeof eventTranslations.$inferSelect): StoredTranslation {
  return { language, texts, revision }
}

function notTranslated(language: Language): UserError {
  return new UserError(
    'not-found',
    `The event is not translated into ${languageNames[language]}. Translate a text first.`,
  )
}
