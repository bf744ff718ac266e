import { useEffect } from 'react'
import { isOutage } from '#db/errors.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { sentencesOf } from '../exit-code.ts'
import type { ResponsesState } from './responses/responses-model.ts'
import type { ResponsesAction } from './responses/responses-state.ts'

/** Interval between two counts of newer responses, in ms. */
const COUNT_INTERVAL_MS = 5000

export type Reading = {
  /** Reads the responses from the newest on; again on reload. */
  pages: () => AsyncIterable<StoredRsvp[]>
  /** How many responses are newer than the one with this id. */
  countNewer?: (id: number) => Promise<number>
  /** Interval between two counts, in ms. */
  newerEvery?: number
}

/** Reads the responses page by page, all of them again in each round, and counts the responses that are newer. */
export function useReading(
  { pages, countNewer, newerEvery = COUNT_INTERVAL_MS }: Reading,
  { round, complete, newest }: ResponsesState,
  dispatch: (action: ResponsesAction) => void,
): void {
  useEffect(() => {
    let gone = false
    async function read(): Promise<void> {
      const all: StoredRsvp[] = []
      for await (const page of pages()) {
        if (gone) return
        // The first time they are shown as they come; later what is there stays until all is.
        if (round === 0) dispatch({ type: 'read', page })
        else all.push(...page)
        // A database file replies at once, each time: without a turn of the event loop in between no key would be read.
        await new Promise(setImmediate)
      }
      if (!gone) dispatch(round === 0 ? { type: 'complete' } : { type: 'reloaded', responses: all })
    }
    read().catch((error) => {
      if (!gone) dispatch({ type: 'unreadable', notice: sentencesOf(error).join(' ') })
    })
    return () => {
      gone = true
    }
  }, [pages, round, dispatch])

  useEffect(() => {
    if (countNewer === undefined || !complete) return
    const count = countNewer
    let asking = false
    async function ask(): Promise<void> {
      if (asking) return
      asking = true
      try {
        dispatch({ type: 'newer', count: await count(newest) })
      } catch (error) {
        // A database that is busy for a moment is asked again at the next turn.
        if (!isOutage(error)) dispatch({ type: 'unreadable', notice: sentencesOf(error).join(' ') })
      } finally {
        asking = false
      }
    }
    const timer = setInterval(ask, newerEvery)
    return () => clearInterval(timer)
  }, [countNewer, newerEvery, complete, newest, dispatch])
}
