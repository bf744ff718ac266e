import { asc, eq, getTableColumns } from 'drizzle-orm'
import * as z from 'zod/mini'
import { db, type Transaction, transaction } from '#db/storage/client.ts'
import { events, eventTranslations, isRevision, nextRevision } from '#db/tables/invitation.ts'
import { volunteerRoles } from '#db/tables/rsvp.ts'
import { defaultEvent } from '#db/values/default-event.ts'
import { UserError } from '#db/values/errors.ts'
import {
  type EventLanguages,
  type EventPayload,
  eventPayload,
  eventTexts,
  eventTranslation,
  namedLanguage,
  type StoredEvent,
  type StoredTranslation,
  type TranslatedTexts,
} from '#db/values/event.ts'
import { givenTexts, toPayload } from '#db/values/event-payload.ts'
import { type Language, languageNames } from '#db/values/languages.ts'
import { fromTheList } from '#db/values/volunteer-role.ts'
import { audit } from './audit.ts'
import { type Call, parseInput } from './call.ts'

const { id: _id, language: _language, ...eventColumns } = getTableColumns(events)

export async function getEvent(): Promise<EventPayload | null> {
  return (await getStoredEvent())?.event ?? null
}

export async function getStoredEvent(): Promise<StoredEvent | null> {
  const row = await readRow()
  return row === undefined ? null : toStoredEvent(row)
}

const wholeEvent = z.extend(eventPayload, { onlyIfNone: z.optional(z.boolean()) })

/**
 * Stores the event. An optional text that is left out stays; an empty one is removed.
 * @throws UserError 'already-exists' if `onlyIfNone` is set and there is an event.
 */
export async function changeEvent(input: unknown, call: Call) {
  const { onlyIfNone, ...payload } = parseInput(wholeEvent, input)
  return transaction(async (tx): Promise<StoredEvent> => {
    if (onlyIfNone && (await readRow()) !== undefined)
      throw new UserError('already-exists', 'There is an event already. Load it, then change it.')
    await audit(tx, call, 'event changed')
    return store(tx, whole(payload), payload, call)
  })
}

/**
 * Changes only the given texts, so that concurrent changes of other texts stay.
 * @throws UserError 'changed-meanwhile' if the stored revision is not one of `onlyIfRevision`.
 */
export async function changeEventTexts(input: unknown, call: Call) {
  const { onlyIfRevision, ...texts } = parseInput(eventTexts, input)
  return transaction(async (tx): Promise<StoredEvent> => {
    if (onlyIfRevision !== undefined && !isRevision(await readRow(), onlyIfRevision))
      throw new UserError('changed-meanwhile', 'The event was changed meanwhile. Load it again, then change it.')
    await audit(tx, call, 'event changed', Object.keys(texts).join(' '))
    return store(tx, { ...whole(toPayload(defaultEvent)), ...texts }, texts, call)
  })
}

type EventRow = Required<EventPayload> & { revision: number }

async function readRow(): Promise<EventRow | undefined> {
  const [row] = await db.select(eventColumns).from(events)
  return row
}

async function store(tx: Transaction, first: StoredEvent['event'], change: Partial<EventPayload>, { now }: Call) {
  const revision = nextRevision(now)
  const [row] = await tx
    .insert(events)
    .values({ ...first, revision })
    .onConflictDoUpdate({ target: events.id, set: { ...change, revision } })
    .returning(eventColumns)
  if (row === undefined) throw new Error('The event was stored and then not found.')
  return toStoredEvent(row)
}

function toStoredEvent({ revision, ...row }: EventRow): StoredEvent {
  const { mapLink, contact, whatToExpect, parking, children, ...texts } = row
  return { event: { ...texts, ...givenTexts(row) }, revision }
}

function whole(payload: EventPayload): StoredEvent['event'] {
  return { ...payload, eventTitle: payload.eventTitle ?? defaultEvent.eventTitle }
}

const columns = getTableColumns(eventTranslations)

/** The language of the event itself, and its texts in all others. */
export async function getEventLanguages(): Promise<EventLanguages> {
  const [language, translations] = await Promise.all([
    readLanguage(),
    db.select(columns).from(eventTranslations).orderBy(asc(columns.language)),
  ])
  return { language, translations }
}

/**
 * Stores the texts of the event in one language, replacing all that were stored; without any text visitors read the
 * first version again.
 * @throws UserError 'invalid' for the language of the event itself and for an unknown role.
 */
export async function saveEventTranslation(input: unknown, call: Call): Promise<EventLanguages> {
  const { language, ...texts } = parseInput(eventTranslation, input)
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
  return getEventLanguages()
}

/**
 * Sets the language of the event itself.
 * @throws UserError 'not-found' while nothing is stored; 'invalid' for a language into which it is translated.
 */
export async function changeEventLanguage(input: unknown, call: Call): Promise<EventLanguages> {
  const { language } = parseInput(namedLanguage, input)
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
  return getEventLanguages()
}

/**
 * The translated texts for visitors of one language. `language` is that of the texts without a translation; `roles` maps
 * the names of roles to their translations.
 */
export async function findEventTranslation(input: unknown, call: Call): Promise<FoundTranslation> {
  const { language } = parseInput(namedLanguage, input)
  const [first, stored] = await Promise.all([readLanguage(), readTranslation(language)])
  if (first === language || stored === undefined) return { language: first, texts: {}, roles: {} }
  const { roles, language: _, ...texts } = stored
  return {
    language: first,
    texts: Object.fromEntries(Object.entries(texts).filter(([, text]) => text)),
    roles: await namedRoles(roles, call),
  }
}

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
  const roles = await db.select().from(volunteerRoles).orderBy(asc(volunteerRoles.id))
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
