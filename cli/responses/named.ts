import { displayed } from '../output/plain-text.ts'

/** More names than these are not read before a yes. */
export const NAMED = 3
/** A name may have 200 characters; a question has to fit on a terminal. */
const LONGEST = 40

/** Whom something is about, as in `Ana Cole, Eva Kim, Zoë Kim and 20,296 others`, where these are the first of `count`. */
export function namesText(responses: { name: string }[], count = responses.length): string {
  const names = responses.slice(0, NAMED).map(({ name }) => shortened(displayed(name)))
  const others = count - names.length
  if (others === 0) return names.join(', ')
  return `${names.join(', ')} and ${others.toLocaleString('en-US')} ${others === 1 ? 'other' : 'others'}`
}

function shortened(name: string): string {
  const characters = Array.from(new Intl.Segmenter().segment(name), ({ segment }) => segment)
  return characters.length <= LONGEST ? name : `${characters.slice(0, LONGEST).join('')}…`
}
