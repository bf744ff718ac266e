import type { FieldError } from '#db/errors.ts'
import { type StoredRsvp, storedRsvps } from '#db/rsvp/schema.ts'
import { lastWordFirst, proposeMerge, revisionOf, type SameSender } from '#db/rsvp/stored.ts'
import type { OfferedRole } from '#db/volunteer-role/schema.ts'
import { excessText } from '#db/volunteer-role/texts.ts'
import type { AdminPage } from '#site/lib/admin-page.ts'
import { newKey, ResponseError, request } from '#site/lib/request.ts'
import { choicesFor } from '#site/lib/role-choices.ts'
import { addToast } from '#site/stores/toasts.ts'
import { said } from '#site/texts/said.ts'
import { plural, t } from '#site/texts/texts.ts'
import { tellFailedAct } from './changeable.ts'
import { carriedToast, reloadWithToast } from './stored-rsvps.ts'

export type EntryChoices = Pick<AdminPage, 'days' | 'roles' | 'features'>

/** The form in which an administrator enters a response, as it is sent. Empty lines of the family are left out. */
export type Entry = ReturnType<typeof readEntry>['entry']

/** A line of the family, as its controls are named: `member.3.name`. */
export type MemberLine = { line: number; name: string; age: string; attending: boolean }

/** @returns with `lines`, of each family member that is sent, in which line it stands: errors belong beside it. */
export function readEntry(fields: FormData) {
  const text = (name: string) => String(fields.get(name) ?? '')
  const lines = fields
    .getAll('line')
    .map(Number)
    .filter((line) => text(`member.${line}.name`).trim() !== '')
  const attending = text('attending') === 'true'
  // Who takes the name off the list means the whole family, unless the form says otherwise.
  const familyComes = attending || fields.has('othersCome')
  const entry = {
    name: text('name'),
    email: text('email'),
    phone: text('phone'),
    message: text('message'),
    attending,
    familyMembers: lines.map((line) => ({
      name: text(`member.${line}.name`),
      age: text(`member.${line}.age`),
      attending: familyComes && fields.has(`member.${line}.attending`),
    })),
    volunteerRoles: fields.getAll('volunteerRoles').map(Number),
    serviceDate: text('serviceDate'),
  }
  return { entry, lines }
}

/** Gives errors of family members, which count what was sent, the names of their controls. */
export function errorsByControl(errors: FieldError[], lines: number[]): FieldError[] {
  return errors.map(({ path, message }) => {
    const [, position, field] = /^familyMembers\.(\d+)\.(.+)$/.exec(path) ?? []
    return { path: position === undefined ? path : `member.${lines[Number(position)]}.${field}`, message }
  })
}

/** What decides how full its roles are. */
type Serving = Pick<Entry, 'attending' | 'serviceDate' | 'volunteerRoles'>

/** What is entered before anything is typed. `day` is the one that a new response is for. */
export function servingOf(stored: StoredRsvp | undefined, day: string): Serving {
  const { attending = true, serviceDate = day, volunteerSignups = [] } = stored ?? {}
  return { attending, serviceDate, volunteerRoles: volunteerSignups.map(({ role }) => role.id) }
}

/**
 * The roles with what is still needed at the service of the entry, beside those who fill them without it. `excess` says so
 * where the entry makes them more than are needed. Nothing is said of a service that is over.
 */
export function entryRoles(roles: OfferedRole[], before: Serving, { attending, serviceDate, volunteerRoles }: Serving) {
  return roles.map(({ needed, filled, ...role }) => {
    const counted = filled?.[serviceDate]
    if (needed === undefined || counted === undefined) return { ...role, state: undefined, excess: undefined }
    const isCounted = before.attending && before.serviceDate === serviceDate && before.volunteerRoles.includes(role.id)
    const others = counted - Number(isCounted)
    const [choice] = choicesFor([{ ...role, needed, filled: { [serviceDate]: others } }], serviceDate)
    const isFilling = attending && volunteerRoles.includes(role.id)
    return {
      ...role,
      state: choice?.state,
      excess: excessText(others + Number(isFilling), isFilling ? needed : null),
    }
  })
}

/** E.g. `4 people`; whoever does not come is not counted. */
export function peopleText({ attending, familyMembers }: Pick<Entry, 'attending' | 'familyMembers'>): string {
  const people = Number(attending) + familyMembers.filter((member) => member.attending).length
  if (people === 0) return t('not attending')
  return plural(people, '{count} person', '{count} people')
}

/** Why something was not done: beside the fields, or as a sentence. */
type Refusal = { errors: FieldError[]; failed: string }

/** What is entered: a new response, a change of the `stored` one, or the merger of several, of which `stored` is the proposal. */
export type Entered = { stored?: StoredRsvp; merged?: SameSender }

/**
 * Returns the id of a new response. After one was changed, or several were merged, unless that was changed meanwhile, it
 * loads the page again and returns undefined.
 */
export async function saveEntry(
  { stored, merged }: Entered,
  entry: Entry,
): Promise<{ id: number } | Refusal | undefined> {
  try {
    if (merged) return await mergeEntry(merged, entry)
    return stored === undefined ? await addEntry(entry) : await changeEntry(stored, entry)
  } catch (error) {
    return refusalOf('save', error)
  }
}

/** The last entry that is not known to be stored, with its key: trying it again must not store it twice. */
let pending = { key: '', content: '' }

async function addEntry(entry: Entry): Promise<{ id: number }> {
  const content = JSON.stringify(entry)
  if (content !== pending.content) pending = { key: newKey(), content }
  try {
    const reply = await request('POST /api/rsvps', { body: entry, headers: { 'Idempotency-Key': pending.key } })
    pending = { key: '', content: '' }
    return await reply.json()
  } catch (error) {
    // The key has stored this once, and it was deleted since: the next try is another one.
    if (error instanceof ResponseError && error.status === 409) pending = { key: '', content: '' }
    throw error
  }
}

async function changeEntry(stored: StoredRsvp, entry: Entry): Promise<undefined> {
  await request(`PATCH /api/rsvps/${stored.id}`, { body: entry, headers: { 'If-Match': `"${revisionOf(stored)}"` } })
  const next = `[data-rsvp="${stored.id}"] td:last-child button`
  carriedToast.keep({ title: t('RSVP Changed'), description: t('The response has been changed.'), next })
  location.reload()
}

async function mergeEntry([newest]: SameSender, entry: Entry): Promise<undefined> {
  const headers = { 'If-Match': `"${revisionOf(newest)}"` }
  const reply = await request(`POST /api/rsvps/${newest.id}/merge`, { body: entry, headers })
  const { merged, changedAt } = await reply.json()
  const description = plural(
    merged.length,
    '{count} response was merged into the newest.',
    '{count} responses were merged into the newest.',
  )
  // Whoever merges one person after the other stays where they are, not in the table far below.
  const next = '.duplicates__person button'
  reloadWithToast({ title: t('Responses Merged'), description, deleted: merged, next, kept: { newest, changedAt } })
}

export async function undoEntry(id: number): Promise<string | undefined> {
  try {
    await request(`DELETE /api/rsvps/${id}`)
  } catch (error) {
    // It is gone already.
    if (!(error instanceof ResponseError && error.status === 404)) return refusalOf('take back', error).failed
  }
  return undefined
}

/** What is to be merged: all responses of a person for a service; undefined where there is nothing to merge any more. */
export async function loadMerge(id: number): Promise<Entered | undefined> {
  try {
    const reply = await request(`GET /api/rsvps?same=${id}`)
    const merged = lastWordFirst(storedRsvps.parse(await reply.json()))
    if (merged !== undefined && merged.length > 1) return { merged, stored: proposeMerge(merged) }
    // Another administrator was first, or a sender has changed one: what is shown is not what there is.
    addToast({
      title: t('Nothing Merged'),
      description: t('These responses were merged or changed meanwhile. Reload the page to see what there is now.'),
      variant: 'destructive',
      action: { label: t('Reload'), altText: t('Show what is there by now'), onPress: () => location.reload() },
    })
  } catch (error) {
    tellFailedAct(t('The responses could not be loaded.'), error)
  }
  return undefined
}

/** A dialog is in front of every notice, so that it has to say itself what went wrong. */
function refusalOf(act: 'save' | 'take back', error: unknown): Refusal {
  const refusal = error instanceof ResponseError ? error : undefined
  if (refusal?.status === 401) {
    const again = act === 'save' ? t('Then save it here.') : t('Then take it back here.')
    return { errors: [], failed: `${t('You are no longer signed in. Sign in in another tab.')} ${again}` }
  }
  const errors = (refusal?.fields ?? []).map(({ path, message }) => ({ path, message: said(message) }))
  if (errors.length > 0) return { errors, failed: t('Not saved yet: correct what is marked.') }
  if (refusal?.detail !== undefined) return { errors, failed: said(refusal.detail) }
  const failed =
    act === 'save'
      ? t('The site could not save it. Please try again.')
      : t('The site could not take it back. Please try again.')
  return { errors, failed }
}
