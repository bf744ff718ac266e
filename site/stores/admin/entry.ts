import type * as z from 'zod/mini'
import { proposeMerge } from '#db/values/merge.ts'
import { type enteredRequest, type StoredRsvp, storedRsvps } from '#db/values/rsvp.ts'
import { newestFirst, revisionOf, type SameSender } from '#db/values/stored-rsvp.ts'
import type { AdminPage } from '#site/lib/admin-page.ts'
import { reloadWith } from '#site/lib/after-reload.ts'
import { newKey, request } from '#site/lib/request.ts'
import { addToast } from '#site/stores/toasts.ts'
import { dayText } from '#site/texts/dates.ts'
import { plural, t } from '#site/texts/texts.ts'
import { attempt, type Refuse, showFailure } from './attempt.ts'
import { reloadAfterMerge } from './stored-rsvps.ts'

export type EntryChoices = Pick<AdminPage, 'days' | 'roles' | 'features'>

/** A response as an administrator enters it. Empty lines of the family are left out. */
export type Entry = ReturnType<typeof readEntry>['entry']

/** A line of the family; its controls are named e.g. `member.3.name`. */
export type MemberLine = { line: number; name: string; age: string; attending: boolean }

/** Every field but those about the sender's own device and mailbox. */
type EntryField = Exclude<keyof z.input<typeof enteredRequest>, 'addToCalendar' | 'calendarType' | 'remind'>

/** @returns with `lines`, the form's line of each family member that is sent, to show its errors there. */
export function readEntry(fields: FormData) {
  const text = (name: string) => String(fields.get(name) ?? '')
  const lines = fields
    .getAll('line')
    .map(Number)
    .filter((line) => text(`member.${line}.name`).trim() !== '')
  const attending = text('attending') === 'true'
  // If the sender does not come, neither does the family, unless the form says otherwise.
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
    firstVisit: fields.has('firstVisit'),
    standing: fields.has('standing') || undefined,
  } satisfies Record<EntryField, unknown>
  return { entry, lines }
}

type Coming = { attending: boolean; familyMembers: { attending: boolean }[] }

/** E.g. `4 people · Saturday, November 28`. */
export function attendanceText(rsvp: Coming & { serviceDate: string }): string {
  return `${peopleText(rsvp)} · ${dayText(rsvp.serviceDate)}`
}

/** E.g. `4 people`, counting those who come. */
export function peopleText({ attending, familyMembers }: Coming): string {
  const people = Number(attending) + familyMembers.filter((member) => member.attending).length
  if (people === 0) return t('not attending')
  return plural(people, '{count} person', '{count} people')
}

/** A new response, a change of `stored`, or a merge of `merged`, for which `stored` is the proposal. */
export type Entered = { stored?: StoredRsvp; merged?: SameSender }

/** A private link in place of those that a merge has ended; `done` reloads the page. */
export type HandOver = { link: string; name: string; done: () => void }

/**
 * @param fields with the lines of the family that are sent, as the server counts only those.
 * @returns after a change or a merge it reloads the page. Undefined if it was refused.
 */
export function saveEntry(
  { stored, merged }: Entered,
  { entry, lines }: ReturnType<typeof readEntry>,
  refuse: Refuse,
): Promise<'added' | HandOver | 'reloading' | undefined> {
  const send = () => {
    if (merged) return mergeEntry(merged, entry)
    return stored === undefined ? addEntry(entry) : changeEntry(stored, entry)
  }
  return attempt<'added' | HandOver | 'reloading'>(send, {
    refuse(reason, path) {
      const [, position, field] = /^familyMembers\.(\d+)\.(.+)$/.exec(path) ?? []
      refuse(reason, position === undefined ? path : `member.${lines[Number(position)]}.${field}`)
    },
    inDialog: true,
  })
}

/** The last entry of unknown outcome and its key: trying it again must not store it twice. */
let pending = { key: '', content: '' }

async function addEntry(entry: Entry): Promise<'added'> {
  const content = JSON.stringify(entry)
  if (content !== pending.content) pending = { key: newKey(), content }
  await request('POST /api/rsvps', { body: entry, headers: { 'Idempotency-Key': pending.key } })
  pending = { key: '', content: '' }
  return 'added'
}

async function changeEntry(stored: StoredRsvp, entry: Entry): Promise<'reloading'> {
  await request(`PATCH /api/rsvps/${stored.id}`, { body: entry, headers: { 'If-Match': `"${revisionOf(stored)}"` } })
  const focus = `[data-rsvp="${stored.id}"] td:last-child button`
  const description = t('The response of {name} has been changed.', { name: entry.name.trim() })
  reloadWith({ focus, notice: { title: t('RSVP Changed'), description } })
  return 'reloading'
}

async function mergeEntry([newest]: SameSender, entry: Entry): Promise<HandOver | 'reloading'> {
  const headers = { 'If-Match': `"${revisionOf(newest)}"` }
  const reply = await request(`POST /api/rsvps/${newest.id}/merge`, { body: entry, headers })
  const { merged, changedAt, link, linkMailed } = await reply.json()
  const name = entry.name.trim()
  const mergedText = plural(
    merged.length,
    '{count} response of {name} was merged into the newest.',
    '{count} responses of {name} were merged into the newest.',
    { name },
  )
  const description = linkMailed
    ? `${mergedText} ${t('A new private link is sent by email; earlier ones have ended.')}`
    : mergedText
  const done = () => reloadAfterMerge({ title: t('Responses Merged'), description }, merged, { newest, changedAt })
  if (link !== undefined) return { link, name, done }
  done()
  return 'reloading'
}

/** Loads all responses of a person for a service; undefined if there is nothing left to merge. */
export async function loadMerge(id: number): Promise<Entered | undefined> {
  try {
    const reply = await request(`GET /api/rsvps?same=${id}`)
    const merged = newestFirst(storedRsvps.parse(await reply.json()))
    if (merged !== undefined && merged.length > 1) return { merged, stored: proposeMerge(merged) }
    // Another administrator was first, or a sender has changed one: the page is out of date.
    addToast({
      title: t('Nothing Merged'),
      description: t('These responses were merged or changed meanwhile. Reload the page to see what there is now.'),
      variant: 'destructive',
      action: { label: t('Reload'), altText: t('Show what is there by now'), onPress: () => location.reload() },
    })
  } catch (error) {
    showFailure(t('The responses could not be loaded.'), error)
  }
  return undefined
}
