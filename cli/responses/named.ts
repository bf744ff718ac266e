import { displayed } from '../output/plain-text.ts'

/** How many names a question lists; more would not be read before confirming. */
export const NAMED = 3
/** Characters. A name may have 200, but a question has to fit on a terminal. */
const LONGEST = 40

/** The first of `count` names, e.g. `Ana Cole, Eva Kim, Zoë Kim and 20,296 others`. */
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
