import type { OwnRevision } from '#db/private-link/schema.ts'
import { dayText } from '#site/texts/dates.ts'
import { plural } from '#site/texts/plural.ts'
import { t } from '#site/texts/texts.ts'

/** Key in local storage: the RSVP that a visitor has asked this device to remember. */
export const REMEMBERED = 'rsvp-remembered'

/** The newest one alone. Whoever has its key can read the rest, so nothing of that is kept. */
export type Remembered = {
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

/** Undefined if there is none, or the browser denies access. */
export function readRemembered(): Remembered | undefined {
  try {
    return JSON.parse(localStorage.getItem(REMEMBERED) ?? '') ?? undefined
  } catch {
    return undefined
  }
}

/** @returns whether the browser keeps it: storage may be full or denied. */
export function writeRemembered(remembered: Remembered): boolean {
  try {
    localStorage.setItem(REMEMBERED, JSON.stringify(remembered))
    tellThisTab()
    return true
  } catch {
    return false
  }
}

export function forgetRemembered(): void {
  try {
    localStorage.removeItem(REMEMBERED)
    tellThisTab()
  } catch {}
}

/** Whether the browser would keep anything. */
export function canRemember(): boolean {
  try {
    localStorage.setItem(`${REMEMBERED}-trial`, '')
    localStorage.removeItem(`${REMEMBERED}-trial`)
    return true
  } catch {
    return false
  }
}

/** Calls back when it was changed, in this tab or in another one. @returns what ends that. */
export function onRemembered(change: () => void): () => void {
  addEventListener('storage', change)
  return () => removeEventListener('storage', change)
}

/** E.g. `You answered: Yes, 4 people, for Saturday, November 21`. */
export function lineOf({ withdrawnAt, attending, familyMembers, serviceDate }: OwnRevision['rsvp'], saysDay: boolean) {
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

/** Browsers tell only the other tabs. */
function tellThisTab(): void {
  dispatchEvent(new StorageEvent('storage', { key: REMEMBERED }))
}
