import type { OwnRevision } from '#db/private-link/schema.ts'
import { dayText } from '#db/values/calendar-day.ts'

/** Key in local storage: the RSVP that a visitor has asked this device to remember. */
export const REMEMBERED = 'rsvp-remembered'

/** The newest one alone. Whoever has its key can read the rest, so nothing of that is kept. */
export type Remembered = {
  /** The key of its private link. */
  key: string
  /** What the page says instead of an empty form. */
  line: string
  /** What the link behind it leads to; missing in what was remembered before withdrawals were told apart. */
  act?: 'Change' | 'Take that back'
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
  const day = saysDay ? ` for ${dayText(serviceDate)}` : ''
  if (withdrawnAt !== null) return `You have withdrawn your RSVP${day}`
  const coming = familyMembers.filter((member) => member.attending).length + Number(attending)
  const people = coming === 1 ? '1 person' : `${coming} people`
  const said = attending ? `Yes, ${people}` : coming === 0 ? 'No' : `No, ${people} of your family`
  return `You answered: ${said}${day && `,${day}`}`
}

/** Browsers tell only the other tabs. */
function tellThisTab(): void {
  dispatchEvent(new StorageEvent('storage', { key: REMEMBERED }))
}
