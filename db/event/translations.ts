import { and, asc, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import { audited, auditedIfChanged } from '#db/audit/entry.ts'
import { UserError } from '#db/errors.ts'
import { type Language, languageNames } from '#db/language/languages.ts'
import { operation, operationWithoutInput } from '#db/operation.ts'
import { db } from '#db/storage/client.ts'
import { events, eventTranslations } from './table.ts'
import { type EventLanguages, eventTranslation, namedLanguage, type StoredTranslation } from './translation-schema.ts'

const columns = getTableColumns(eventTranslations)

/** In which language the event is, and in which others there is any text of it. */
export const getEventLanguages = operationWithoutInput(async (): Promise<EventLanguages> => {
  const [language, rows] = await Promise.all([
    readLanguage(),
    db.select({ language: columns.language }).from(eventTranslations).orderBy(asc(columns.language)),
  ])
  return { language, translations: rows.map((row) => row.language) }
})

/**
 * The texts of the event in one language; those that are not translated are empty.
 * @throws UserError 'not-found' where nothing is translated.
 */
export const getEventTranslation = operation(namedLanguage, async ({ language }): Promise<StoredTranslation> => {
  const stored = await readTranslation(language)
  if (stored === undefined) throw notTranslated(language)
  return stored
})

/**
 * Stores the texts of the event in one language, in place of those that were stored.
 * @throws UserError 'invalid' for the language of the event itself; 'already-exists' when only a first translation was wanted
 * and there is one; 'changed-meanwhile' when only a certain revision was to be replaced and there is another.
 */
export const saveEventTranslation = operation(
  eventTranslation,
  async ({ onlyIfNone, onlyIfRevision, language, ...texts }, call): Promise<StoredTranslation> => {
    if (language === (await readLanguage())) throw isFirstVersion(language)
    const change = { ...texts, revision: nextRevision(call.now) }
    const isConditional = onlyIfNone || onlyIfRevision !== undefined
    const insert = db.insert(eventTranslations).values({ language, ...change })
    const write =
      onlyIfRevision !== undefined
        ? db.update(eventTranslations).set(change).where(isRevision(language, onlyIfRevision)).returning(columns)
        : onlyIfNone
          ? insert.onConflictDoNothing().returning(columns)
          : insert.onConflictDoUpdate({ target: columns.language, set: change }).returning(columns)
    const entry = isConditional ? auditedIfChanged : audited
    const [[stored]] = await db.batch([write, entry(call, 'event translated', language)])
    if (stored !== undefined) return toTranslation(stored)
    if (!isConditional) throw new Error('The translation was stored and then not found.')
    throw new UserError(
      onlyIfNone ? 'already-exists' : 'changed-meanwhile',
      `The event in ${languageNames[language]} was changed meanwhile. Load it again, then change it.`,
    )
  },
)

/**
 * Removes what is translated into one language: visitors then read the event as it was first written.
 * @throws UserError 'not-found' where nothing is translated.
 */
export const removeEventTranslation = operation(namedLanguage, async ({ language }, call): Promise<void> => {
  const [removed] = await db.batch([
    db.delete(eventTranslations).where(eq(columns.language, language)).returning({ language: columns.language }),
    auditedIfChanged(call, 'event translation removed', language),
  ])
  if (removed.length === 0) throw notTranslated(language)
})

/**
 * Says in which language the event itself is written.
 * @throws UserError 'not-found' while nothing is stored; 'invalid' for a language into which it is translated.
 */
export const changeEventLanguage = operation(namedLanguage, async ({ language }, call): Promise<EventLanguages> => {
  if ((await readTranslation(language)) !== undefined) {
    throw refused(
      `The event is translated into ${languageNames[language]} already. Remove that translation, then say that the event itself is in ${languageNames[language]}.`,
    )
  }
  const [changed] = await db.batch([
    db.update(events).set({ language }).returning({ language: events.language }),
    auditedIfChanged(call, 'event language changed', language),
  ])
  if (changed.length === 0) {
    throw new UserError('not-found', 'There is no event yet. Write its texts, then say which language they are in.')
  }
  return getEventLanguages(call)
})

/** The texts that visitors of one language read in place of those of the event, and the language of the others. */
export const findEventTranslation = operation(
  namedLanguage,
  async ({ language }): Promise<{ language: Language; texts: Partial<StoredTranslation['texts']> }> => {
    const [first, stored] = await Promise.all([readLanguage(), readTranslation(language)])
    const given =
      first === language || stored === undefined ? [] : Object.entries(stored.texts).filter(([, text]) => text)
    return { language: first, texts: Object.fromEntries(given) }
  },
)

async function readLanguage(): Promise<Language> {
  const [row] = await db.select({ language: events.language }).from(events)
  return row?.language ?? 'en'
}

async function readTranslation(language: Language): Promise<StoredTranslation | undefined> {
  const [row] = await db.select(columns).from(eventTranslations).where(eq(columns.language, language))
  return row && toTranslation(row)
}

function toTranslation({ language, revision, ...texts }: typeof eventTranslations.$inferSelect): StoredTranslation {
  return { language, texts, revision }
}

function isRevision(language: Language, revisions: number[] | 'any') {
  const isLanguage = eq(columns.language, language)
  return revisions === 'any' ? isLanguage : and(isLanguage, inArray(columns.revision, revisions))
}

/** Above all there are, and the time: the number of one that was removed does not come again for other texts. */
function nextRevision(now: Date) {
  const latest = sql`(SELECT max(${columns.revision}) FROM ${eventTranslations})`
  return sql<number>`max(coalesce(${latest}, 0) + 1, ${now.getTime()})`
}

function notTranslated(language: Language): UserError {
  return new UserError(
    'not-found',
    `The event is not translated into ${languageNames[language]}. Translate a text first.`,
  )
}

function isFirstVersion(language: Language): UserError {
  return refused(
    `The event itself is in ${languageNames[language]}. Change its own texts, or say that they are in another language.`,
  )
}

function refused(message: string): UserError {
  return new UserError('invalid', message, [{ path: 'language', message }])
}
