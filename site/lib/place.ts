import { writeSession } from './session.ts'

/** Key in session storage of what `keepPlace` keeps. */
export const PLACE = 'place'

/**
 * For the next page of this tab at the same path, e.g. after a reload: the element that `next` selects gets the focus,
 * and stands where `from` stands in the window now. Open details with an id are open there too.
 */
export function keepPlace(next: string, from = document.querySelector(next)): void {
  const open = Array.from(document.querySelectorAll<HTMLElement>('details[open][id]'), ({ id, offsetHeight }) => [
    id,
    offsetHeight,
  ])
  const top = from?.getBoundingClientRect().top
  writeSession(PLACE, JSON.stringify({ path: location.pathname, next, top, scrolled: scrollY, open }))
}
