import { writeSession } from './session.ts'

/** Key in session storage of what `keepPlace` keeps. */
export const PLACE = 'place'

/**
 * For the next page of this tab at the same path, e.g. after a reload: the element that `next` selects gets the focus,
 * and stands where `from` stands in the window now. If there is none yet, the first row in sight stays where it is:
 * what is above the rows may be higher then. Open details with an id are open there too.
 */
export function keepPlace(next: string, from = document.querySelector(next)): void {
  const open = Array.from(document.querySelectorAll<HTMLElement>('details[open][id]'), ({ id, offsetHeight }) => [
    id,
    offsetHeight,
  ])
  const row = from ? undefined : Array.from(document.querySelectorAll<HTMLElement>('[data-rsvp]')).find(isInSight)
  const stays = row ? `[data-rsvp="${row.dataset.rsvp}"]` : next
  const top = (from ?? row)?.getBoundingClientRect().top
  writeSession(PLACE, JSON.stringify({ path: location.pathname, next, stays, top, scrolled: scrollY, open }))
}

export function isInSight(element: Element): boolean {
  const { top } = element.getBoundingClientRect()
  return top >= 0 && top < innerHeight
}
