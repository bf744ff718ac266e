import { counted } from '../output/counted.ts'
import { namesText } from './named.ts'
import type { Written } from './writes.ts'

/** Asked before anything is deleted (specification, section 5). */
export function deletionQuestion(count: number): string {
  return count === 1
    ? 'Are you sure you want to delete this RSVP?'
    : `Are you sure you want to delete ${count} selected RSVPs?`
}

/** What a deletion did, e.g. `Deleted 2 responses.` */
export function deletionResult(deletion: Written): string {
  return resultOf('Deleted', deletion)
}

/** What a restoration by id did, e.g. `Restored 2 responses.` */
export function restoredResult(restoration: Written): string {
  return resultOf('Restored', restoration)
}

function resultOf(done: string, { changed, untouched, failure }: Written): string {
  const sentence = `${done} ${counted(changed.length, 'response')}.`
  if (untouched.length === 0) return sentence
  return `${sentence} ${failure === undefined ? 'Interrupted: ' : ''}${untouched.length} were not reached.`
}

export function notFoundText({ notFound }: Written): string {
  return `Not found: ${notFound.join(', ')}. They may have been deleted already.`
}

/** What undoing a deletion did, e.g. `Brought back 2 responses (Ana Cole, Eva Kim).` */
export function restorationResult(responses: { name: string }[], { notFound, untouched }: Written): string {
  const names = responses.length > 0 ? ` (${namesText(responses)})` : ''
  const sentences = [`Brought back ${counted(responses.length, 'response')}${names}.`]
  if (notFound.length > 0) sentences.push(`${notFound.length} were restored or erased in the meantime.`)
  if (untouched.length > 0) sentences.push(`${untouched.length} were not reached.`)
  return sentences.join(' ')
}
