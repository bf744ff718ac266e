import { setTimeout as delay } from 'node:timers/promises'
import { deleteRsvps, restoreRsvps } from '#db/rsvp/delete.ts'
import { NAMED_IDS_MAXIMUM } from '#db/rsvp/schema.ts'
import type { Context } from '../context.ts'
import { counted } from '../output/output.ts'
import { displayed } from '../output/plain-text.ts'

/** Between two writes, so that the site can store what has arrived. */
const PAUSE_MS = 10

/**
 * What happened to each id. Those in `notFound` were already deleted, restored or erased; those in `untouched` were not
 * reached because of an interruption or of `failure`.
 */
export type Written = { changed: number[]; notFound: number[]; untouched: number[]; failure?: unknown }

export const deleteResponses = inBatches(deleteRsvps)

export const restoreDeleted = inBatches(restoreRsvps)

/** How many names a question lists; more would not be read before confirming. */
export const NAMED = 3

/** In characters. A name may have 200, but a question has to fit on a terminal. */
const LONGEST = 40

/** Asked before anything is deleted (specification, section 5). */
export function deletionQuestion(count: number): string {
  return count === 1
    ? 'Are you sure you want to delete this RSVP?'
    : `Are you sure you want to delete ${count} selected RSVPs?`
}

/** What was done to the responses, e.g. `Deleted 2 responses.` */
export function writtenText(done: 'Deleted' | 'Restored', { changed, untouched, failure }: Written): string {
  const sentence = `${done} ${counted(changed.length, 'response')}.`
  if (untouched.length === 0) return sentence
  return `${sentence} ${failure === undefined ? 'Interrupted: ' : ''}${untouched.length} were not reached.`
}

export function notFoundText({ notFound }: Written): string {
  return `Not found: ${notFound.join(', ')}. They may have been deleted already.`
}

/** What undoing a deletion did, e.g. `Restored 2 responses (Ana Cole, Eva Kim).` */
export function restorationResult(responses: { name: string }[], { notFound, untouched }: Written): string {
  const names = responses.length > 0 ? ` (${namesText(responses)})` : ''
  const sentences = [`Restored ${counted(responses.length, 'response')}${names}.`]
  if (notFound.length > 0) sentences.push(`${notFound.length} were restored or erased in the meantime.`)
  if (untouched.length > 0) sentences.push(`${untouched.length} were not reached.`)
  return sentences.join(' ')
}

/** The first of `count` names, e.g. `Ana Cole, Eva Kim, Zoë Kim and 20,296 others`. */
export function namesText(responses: { name: string }[], count = responses.length): string {
  const names = responses.slice(0, NAMED).map(({ name }) => {
    const characters = Array.from(new Intl.Segmenter().segment(displayed(name)), ({ segment }) => segment)
    return characters.length <= LONGEST ? characters.join('') : `${characters.slice(0, LONGEST).join('')}…`
  })
  const others = count - names.length
  if (others === 0) return names.join(', ')
  return `${names.join(', ')} and ${others.toLocaleString('en-US')} ${others === 1 ? 'other' : 'others'}`
}

/**
 * Splits a write of many responses into batches, so that the site keeps working, and reports how many are done. A
 * failure is returned together with what was changed before it.
 * @param write changes one batch and returns the ids that it found.
 */
function inBatches(write: typeof deleteRsvps) {
  return async (ids: number[], report: (done: number) => void, { call, signal }: Context): Promise<Written> => {
    const changed = new Set<number>()
    let done = 0
    let failure: unknown
    while (done < ids.length && failure === undefined && !signal.aborted) {
      const chunk = ids.slice(done, done + NAMED_IDS_MAXIMUM)
      try {
        for (const id of await write({ ids: chunk }, call)) changed.add(id)
        done += chunk.length
        report(done)
      } catch (error) {
        failure = error
      }
      if (done < ids.length) await delay(PAUSE_MS)
    }
    const reached = ids.slice(0, done)
    return {
      failure,
      changed: reached.filter((id) => changed.has(id)),
      notFound: reached.filter((id) => !changed.has(id)),
      untouched: ids.slice(done),
    }
  }
}
