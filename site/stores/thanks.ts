import type { OwnRsvp } from '#db/values/private-link.ts'
import { parseUrl } from '#db/values/url.ts'
import { type Recorded, recordedOfStored } from '#site/lib/recorded.ts'
import { ResponseError, request } from '#site/lib/request.ts'
import { keptIn } from '#site/lib/storage.ts'
import { $thanks } from './own-rsvps.ts'
import { RSVP_FORM_ID, RSVP_THANKS } from './rsvp-form.ts'

/** The tab keeps the thank-you, so that a reload does not lose the private link, or the device if the visitor wants that. */
const inTab = keptIn<Recorded>('sessionStorage', RSVP_THANKS)
const onDevice = keptIn<Recorded>('localStorage', RSVP_THANKS)

export function thank(recorded: Recorded): void {
  inTab.keep(recorded)
  $thanks.set({ recorded, isNew: true, isRemembered: false })
}

/** Shows the kept thank-you, and updates it: the RSVP may have been changed elsewhere, or its service be over. */
export function followThanks(): void {
  if (!$thanks.get()) showKept()
  refresh()
  // Another tab may make the device forget its thank-you. If none is shown, the visitor may be typing in the form.
  addEventListener('storage', ({ key }) => key === RSVP_THANKS && $thanks.get() && showKept())
  // The Back button may show an old copy of the page.
  addEventListener('pageshow', ({ persisted }) => persisted && refresh())
}

/** Keeps the shown RSVP on the device instead of in this tab, or the other way round. */
export function rememberThanks(isRemembered: boolean): void {
  const shown = $thanks.get()
  if (!shown) return
  const storage = storageOf(isRemembered)
  storage.keep(shown.recorded)
  if (!storage.restore()) return
  storageOf(!isRemembered).forget()
  showKept()
  refresh()
}

/** Whether the device remembers another RSVP than that of this tab. */
export function isAnotherRemembered(): boolean {
  return onDevice.restore() !== undefined
}

/** Forgets the shown RSVP and the cookie of its private link, because another family may use the device next. */
export function endThanks(): void {
  forget($thanks.get()?.isRemembered)
  closeLink()
  const title = document.querySelector<HTMLElement>('#rsvp-title')
  title?.setAttribute('tabindex', '-1')
  title?.focus()
}

/** Begins an RSVP for another family: focuses the form, which the anchor of the link shows again. */
export function beginAgain(): void {
  forget()
  closeLink()
  setTimeout(() => document.querySelector<HTMLElement>(`#${RSVP_FORM_ID} [name=attending]`)?.focus())
}

function closeLink(): void {
  fetch('/answer?forget', { redirect: 'manual' }).catch(() => {})
}

function showKept(): void {
  const ofTab = inTab.restore()
  const recorded = ofTab ?? onDevice.restore()
  $thanks.set(recorded && { recorded, isNew: false, isRemembered: !ofTab })
  // There is no thank-you for the form to wait for.
  if (!recorded) document.body.classList.remove('thanked')
}

function forget(isRemembered = false): void {
  storageOf(isRemembered).forget()
  showKept()
}

function storageOf(isRemembered: boolean) {
  return isRemembered ? onDevice : inTab
}

async function refresh(): Promise<void> {
  const link = $thanks.get()?.recorded.link ?? ''
  const key = parseUrl(link)?.searchParams.get('key')
  const rsvp = key ? await readOwnRsvp(key).catch(() => undefined) : undefined
  const shown = $thanks.get()
  // Meanwhile, the visitor may have sent another RSVP or dismissed this one.
  if (rsvp === undefined || shown?.recorded.link !== link) return
  if (rsvp === null) return forget(shown.isRemembered)
  const { mail, serviceDate } = shown.recorded
  const { withdrawnAt, standing } = rsvp
  // A week that a household has withdrawn is a No to that week.
  const isWithdrawn = withdrawnAt !== null && (!standing || standing.countedUntil !== undefined)
  const { endsAt } = isWithdrawn ? rsvp : (standing ?? rsvp)
  const current = withdrawnAt === null ? rsvp : { ...rsvp, attending: false, familyMembers: [] }
  const promised = withdrawnAt === null ? mail : undefined
  const shownRsvp = recordedOfStored(current, serviceDate !== undefined)
  const recorded = { ...shownRsvp, link, mail: promised, endsAt, isWithdrawn }
  storageOf(shown.isRemembered).keep(recorded)
  $thanks.set({ ...shown, recorded, isNew: false })
}

/** The RSVP of a private link; null if the site itself replies that the link does not work. */
async function readOwnRsvp(key: string): Promise<OwnRsvp | null> {
  try {
    return await (await request('GET /api/answer', { headers: { 'Link-Key': key } })).json()
  } catch (error) {
    if (error instanceof ResponseError && error.detail && [404, 410].includes(error.status)) return null
    throw error
  }
}
