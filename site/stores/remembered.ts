import { persistentAtom } from '@nanostores/persistent'
import { atom } from 'nanostores'
import type { OwnRevision } from '#db/private-link/schema.ts'
import { showRemembered } from '#site/lib/page-scripts.ts'
import { type Recorded, recordedOfStored } from '#site/lib/recorded.ts'
import { ResponseError, request } from '#site/lib/request.ts'
import { REMEMBERED, RSVP_FORM_ID, RSVP_THANKS } from '#site/lib/rsvp-form.ts'
import { sessionDraft } from '#site/lib/session.ts'
import { dayText } from '#site/texts/dates.ts'
import { plural, t } from '#site/texts/texts.ts'
import { addToast } from './toasts.ts'

type OwnRsvp = OwnRevision['rsvp']

/** The newest one alone. Whoever has its key can read the rest, so nothing of that is kept. */
type Remembered = {
  /** The key of its private link. */
  key: string
  /** What the page says instead of an empty form. */
  line: string
  /** What the link behind it leads to; missing in what was remembered before withdrawals were told apart. */
  act?: string
  /** Whether visitors are told of days. */
  saysDay: boolean
  /** When it ends by itself: at the end of the service. */
  endsAt: string
}

/** What this device remembers; undefined if that is nothing, or the browser denies access. */
export const $remembered = persistentAtom<Remembered | undefined>(REMEMBERED, undefined, {
  encode: JSON.stringify,
  decode(text) {
    try {
      return JSON.parse(text) ?? undefined
    } catch {
      return undefined
    }
  },
})

/**
 * Has this device remember the RSVP with this key, instead of the one before.
 * @returns whether it does: the site may be out of reach, or the storage of the browser full.
 */
export async function rememberRsvp(key: string, saysDay: boolean): Promise<boolean> {
  const rsvp = await readOwnRsvp(key).catch(() => null)
  return rsvp !== null && keepRemembered(rememberedOf(rsvp, key, saysDay))
}

/** Brings what is remembered up to date: it may have been changed on another device, or be erased. */
export async function refreshRemembered(): Promise<void> {
  const known = $remembered.get()
  if (known === undefined) return
  const rsvp = await readOwnRsvp(known.key).catch(() => undefined)
  // Another tab may have forgotten or replaced it meanwhile.
  if (rsvp === undefined || $remembered.get()?.key !== known.key) return
  const current = rsvp ? rememberedOf(rsvp, known.key, known.saysDay) : undefined
  if (JSON.stringify(current) !== JSON.stringify(known)) keepRemembered(current)
}

export function forgetRemembered(): void {
  keepRemembered(undefined)
}

/** Whether the browser would keep anything. */
export function canRemember(): boolean {
  const trial = `${REMEMBERED}-trial`
  try {
    localStorage.setItem(trial, '')
    localStorage.removeItem(trial)
    return true
  } catch {
    return false
  }
}

function keepRemembered(remembered: Remembered | undefined): boolean {
  try {
    $remembered.set(remembered)
    return true
  } catch {
    return false
  }
}

function rememberedOf(rsvp: OwnRsvp, key: string, saysDay: boolean): Remembered {
  const act = rsvp.withdrawnAt === null ? t('Change') : t('Take that back')
  return { key, line: lineOf(rsvp, saysDay), act, saysDay, endsAt: rsvp.endsAt }
}

/** E.g. `You answered: Yes, 4 people, for Saturday, November 21`. */
function lineOf({ withdrawnAt, attending, familyMembers, serviceDate }: OwnRsvp, saysDay: boolean): string {
  const day = saysDay ? dayText(serviceDate) : ''
  if (withdrawnAt !== null)
    return day ? t('You have withdrawn your RSVP for {day}', { day }) : t('You have withdrawn your RSVP')
  const coming = familyMembers.filter((member) => member.attending).length + Number(attending)
  const said = saidOf(attending, coming)
  return day ? t('You answered: {said}, for {day}', { said, day }) : t('You answered: {said}', { said })
}

function saidOf(attending: boolean, coming: number): string {
  if (attending) return plural(coming, 'Yes, {count} person', 'Yes, {count} people')
  return coming === 0
    ? t('No')
    : plural(coming, 'No, {count} person of your family', 'No, {count} people of your family')
}

/** The RSVP of a private link; null where the site itself says that the link does not work, or works no more. */
async function readOwnRsvp(key: string): Promise<OwnRsvp | null> {
  try {
    return await (await request('GET /api/answer', { headers: { 'Link-Key': key } })).json()
  } catch (error) {
    if (error instanceof ResponseError && error.detail && [404, 410].includes(error.status)) return null
    throw error
  }
}

/** What the thank-you says, and whether it comes in place of the form that was just sent. */
export const $thanks = atom<{ recorded: Recorded; isNew: boolean } | undefined>()

/** Offline, or without a link, no one else says that the service is over: two days cover every time zone. */
const keptThanks = sessionDraft<Recorded>(RSVP_THANKS, (text) => {
  const recorded: Recorded = JSON.parse(text)
  const isOver = Date.parse(recorded.serviceDate ?? '') + 2 * 86_400_000 < Date.now()
  return isOver ? undefined : recorded
})

/** Shows the thank-you, and keeps it in this tab: a reload must not lose the private link. */
export function thank(recorded: Recorded, isNew = true): void {
  keptThanks.keep(recorded)
  $thanks.set({ recorded, isNew })
}

/** Shows the thank-you that this tab keeps, and what its RSVP says by now: it may have been changed, or be over. */
function followThanks(): void {
  const recorded = keptThanks.restore()
  if (recorded) $thanks.set({ recorded, isNew: false })
  else keptThanks.forget()
  refreshThanks()
  // Back shows the page as it was left.
  addEventListener('pageshow', ({ persisted }) => persisted && refreshThanks())
}

/** Leaves nothing of it in this tab, nor in the cookie of the private link: the next family may use the same device. */
export function endThanks(): void {
  forgetThanks()
  closeLink()
}

/** A link without its key takes that of an earlier one away. */
export function closeLink(): void {
  fetch('/answer?key=', { redirect: 'manual' }).catch(() => {})
}

async function refreshThanks(): Promise<void> {
  const kept = keptThanks.restore()
  const link = kept?.link ?? ''
  const key = URL.canParse(link) && new URL(link).searchParams.get('key')
  const rsvp = key ? await readOwnRsvp(key).catch(() => undefined) : undefined
  // Another RSVP may have been sent meanwhile, or the visitor be done.
  if (!kept || rsvp === undefined || keptThanks.restore()?.link !== link) return
  // Whoever has withdrawn it may still take that back on the page of the private link.
  if (rsvp === null || rsvp.withdrawnAt !== null) forgetThanks()
  else thank({ ...recordedOfStored(rsvp, kept.serviceDate !== undefined), link }, false)
}

function forgetThanks(): void {
  keptThanks.forget()
  $thanks.set(undefined)
  showRemembered(REMEMBERED, RSVP_THANKS)
}

/**
 * Keeps right what the page shows of a remembered RSVP, and of one that this tab thanks for. Where it shows none, the form
 * stays: someone may be typing. A page with a form that was returned, or sent without JavaScript, has no such section.
 */
export function followRemembered(): void {
  const section = document.querySelector<HTMLElement>('.remembered')
  if (section === null) return
  followThanks()
  $remembered.listen(() => section.hidden || showRemembered(REMEMBERED, RSVP_THANKS))
  // Back shows the page as it was left: the RSVP may have been changed since.
  addEventListener('pageshow', ({ persisted }) => persisted && refreshRemembered())
  section.querySelector('button')?.addEventListener('click', forget)
  section.querySelector('[href^="#"]')?.addEventListener('click', beginAgain)
  refreshRemembered()
}

function forget(): void {
  forgetRemembered()
  focusTitle()
  addToast({
    title: t('Forgotten'),
    description: t('This device no longer remembers it. Your RSVP itself stays.'),
  })
}

/** For another family: the link's anchor brings the form back, and its first question gets the focus. */
export function beginAgain(): void {
  endThanks()
  setTimeout(() => document.querySelector<HTMLElement>(`#${RSVP_FORM_ID} [name=attending]`)?.focus())
}

/** For a button that has gone, where the form has come in its place, or what is remembered. */
export function focusTitle(): void {
  const title = document.querySelector<HTMLElement>('.remembered:not([hidden]) h2, #rsvp-title')
  title?.setAttribute('tabindex', '-1')
  title?.focus()
}
