import { persistentAtom } from '@nanostores/persistent'
import { atom } from 'nanostores'
import type { OwnRsvp } from '#db/private-link/schema.ts'
import { parseUrl } from '#db/values/url.ts'
import { showRemembered } from '#site/lib/page-scripts.ts'
import { type Recorded, recordedOfStored } from '#site/lib/recorded.ts'
import { ResponseError, request } from '#site/lib/request.ts'
import { REMEMBERED, RSVP_FORM_ID, RSVP_THANKS } from '#site/lib/rsvp-form.ts'
import { sessionDraft } from '#site/lib/session.ts'
import { dayText } from '#site/texts/dates.ts'
import { plural, t } from '#site/texts/texts.ts'
import { addToast } from './toasts.ts'

/** Only the newest. The key gives access to the rest, so none of that is kept. */
type Remembered = {
  /** The key of its private link. */
  key: string
  /** Shown instead of an empty form. */
  line: string
  /** Whether days are shown to visitors. */
  saysDay: boolean
  /** When it is forgotten: at the end of the service, or of what is said for every week. */
  endsAt: string
}

/** Undefined if nothing is remembered, or the browser denies access. */
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
 * Remembers the RSVP with this key instead of the previous one.
 * @returns false if the site is out of reach, or the storage of the browser full.
 */
export async function rememberRsvp(key: string, saysDay: boolean): Promise<boolean> {
  const rsvp = await readOwnRsvp(key).catch(() => null)
  const kept = rsvp !== null && keepRemembered(rememberedOf(rsvp, key, saysDay))
  // "Done" was pressed meanwhile. Whoever types already goes on.
  if (kept && !$thanks.get() && !document.activeElement?.closest('form')) showRemembered(REMEMBERED, RSVP_THANKS)
  return kept
}

/** Updates the remembered RSVP, which may have been changed on another device, or erased. */
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
  const { endsAt } = rsvp.standing ?? rsvp
  return { key, line: lineOf(rsvp, saysDay), saysDay, endsAt }
}

/** E.g. `You answered: Yes, 4 people, for Saturday, November 21`. */
function lineOf({ withdrawnAt, attending, familyMembers, serviceDate, standing }: OwnRsvp, saysDay: boolean): string {
  const day = saysDay ? dayText(serviceDate) : ''
  if (withdrawnAt !== null && !standing)
    return day ? t('You have withdrawn your RSVP for {day}', { day }) : t('You have withdrawn your RSVP')
  const coming = familyMembers.filter((member) => member.attending).length + Number(attending)
  // The household has switched off this week.
  const said = withdrawnAt === null ? saidOf(attending, coming) : t('No')
  const line = day ? t('You answered: {said}, for {day}', { said, day }) : t('You answered: {said}', { said })
  return standing ? `${line}. ${t('You come every week unless you say otherwise.')}` : line
}

function saidOf(attending: boolean, coming: number): string {
  if (attending) return plural(coming, 'Yes, {count} person', 'Yes, {count} people')
  return coming === 0
    ? t('No')
    : plural(coming, 'No, {count} person of your family', 'No, {count} people of your family')
}

/** The RSVP of a private link; null if the site itself says that the link does not work. */
async function readOwnRsvp(key: string): Promise<OwnRsvp | null> {
  try {
    return await (await request('GET /api/answer', { headers: { 'Link-Key': key } })).json()
  } catch (error) {
    if (error instanceof ResponseError && error.detail && [404, 410].includes(error.status)) return null
    throw error
  }
}

/** `isNew` if it replaces the form that was just sent. */
export const $thanks = atom<{ recorded: Recorded; isNew: boolean } | undefined>()

/** For a device offline, or without a link: after two days the service is over in every time zone. Every week goes on. */
const keptThanks = sessionDraft<Recorded>(RSVP_THANKS, (text) => {
  const recorded: Recorded = JSON.parse(text)
  const isOver = !recorded.everyWeek && Date.parse(recorded.serviceDate ?? '') + 2 * 86_400_000 < Date.now()
  return isOver ? undefined : recorded
})

/** Shows the thank-you and keeps it in this tab, because a reload must not lose the private link. */
export function thank(recorded: Recorded, isNew = true): void {
  keptThanks.keep(recorded)
  $thanks.set({ recorded, isNew })
}

/** Shows the thank-you that this tab keeps, and updates it: the RSVP may have been changed, or be over. */
function followThanks(): void {
  const recorded = keptThanks.restore()
  if (recorded) $thanks.set({ recorded, isNew: false })
  else keptThanks.forget()
  refreshThanks()
  // Back may show the page as it was left.
  addEventListener('pageshow', ({ persisted }) => persisted && refreshThanks())
}

/** Removes the thank-you from this tab, and the private link's cookie: another family may use the device next. */
export function endThanks(): void {
  forgetThanks()
  closeLink()
}

/** Removes the cookie of a private link. */
export function closeLink(): void {
  fetch('/answer?forget', { redirect: 'manual' }).catch(() => {})
}

async function refreshThanks(): Promise<void> {
  const kept = keptThanks.restore()
  const link = kept?.link ?? ''
  const key = parseUrl(link)?.searchParams.get('key')
  const rsvp = key ? await readOwnRsvp(key).catch(() => undefined) : undefined
  // Another RSVP may have been sent meanwhile, or the visitor may be done.
  if (!kept || rsvp === undefined || keptThanks.restore()?.link !== link) return
  // A withdrawal can be undone on the page of the private link.
  if (rsvp === null || rsvp.withdrawnAt !== null) forgetThanks()
  else thank({ ...recordedOfStored(rsvp, kept.serviceDate !== undefined), link, mail: kept.mail }, false)
}

function forgetThanks(): void {
  keptThanks.forget()
  $thanks.set(undefined)
  showRemembered(REMEMBERED, RSVP_THANKS)
}

/**
 * Updates the remembered RSVP and the thank-you that the page shows. If it shows none, the form stays, because someone
 * may be typing. A page with a returned form, or with one sent without JavaScript, has no such section.
 */
export function followRemembered(): void {
  const section = document.querySelector<HTMLElement>('.remembered')
  if (section === null) return
  followThanks()
  $remembered.listen(() => section.hidden || showRemembered(REMEMBERED, RSVP_THANKS))
  // Back may show the page as it was left: the RSVP may have been changed since.
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

/** For another family: the anchor of the link shows the form again, and its first question gets the focus. */
export function beginAgain(): void {
  endThanks()
  setTimeout(() => document.querySelector<HTMLElement>(`#${RSVP_FORM_ID} [name=attending]`)?.focus())
}

/** For a button that was replaced by the form or by the remembered RSVP. */
export function focusTitle(): void {
  const title = document.querySelector<HTMLElement>('.remembered:not([hidden]) h2, #rsvp-title')
  title?.setAttribute('tabindex', '-1')
  title?.focus()
}
