import { type RefObject, useEffect, useState } from 'react'
import { isOutage } from '#db/errors.ts'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { sentencesOf } from '../../exit-code.ts'
import { restorationResult, type Written, writtenText } from '../../responses/deletion.ts'
import type { ResponsesAction, ResponsesState } from './responses-state.ts'

type Report = (done: number) => void

export type Writes = {
  /** To look around, or to choose what to delete and then be done. */
  purpose: 'look' | 'delete'
  remove: (ids: number[], report: Report) => Promise<Written>
  restore: (ids: number[], report: Report) => Promise<Written>
  /** The user quits, or has deleted in `rsvp delete`. */
  onQuit: () => void
}

/** Deletes what was asked about, and brings back what was deleted last; `progress` is the share that is done. */
export function useWrites(
  { purpose, remove, restore, onQuit }: Writes,
  latest: RefObject<ResponsesState>,
  dispatch: (action: ResponsesAction) => void,
) {
  const [progress, setProgress] = useState(0)

  async function write(ids: number[], work: (report: Report) => Promise<void>): Promise<void> {
    setProgress(0)
    dispatch({ type: 'mode', mode: 'working' })
    try {
      await work((done) => setProgress(done / ids.length))
    } catch (error) {
      dispatch({ type: 'told', notice: sentencesOf(error).join(' ') })
    }
  }

  function removeAsked(): Promise<void> {
    const ids = latest.current.asked.map(({ id }) => id)
    return write(ids, async (report) => {
      const deletion = await remove(ids, report)
      if (purpose === 'delete') return onQuit()
      const { changed, notFound, failure } = deletion
      const undo = changed.length === 1 ? ['Press u to bring it back.'] : ['Press u to bring them back.']
      const sentences = [
        writtenText('Deleted', deletion),
        ...(changed.length > 0 ? undo : []),
        ...(failure === undefined ? [] : sentencesOf(failure)),
      ]
      dispatch({ type: 'deleted', ids: changed, missing: notFound, notice: sentences.join(' ') })
    })
  }

  async function undo(): Promise<void> {
    const last = latest.current.deletions.at(-1)
    if (last === undefined)
      return dispatch({ type: 'told', notice: 'Nothing was deleted here that u could bring back.' })
    const ids = last.map(({ id }) => id)
    await write(ids, async (report) => {
      const restoration = await restore(ids, report)
      const { changed, untouched, failure } = restoration
      const back = last.filter(({ id }) => changed.includes(id))
      const notice = [
        restorationResult(back, restoration),
        ...(failure === undefined ? [] : sentencesOf(failure)),
      ].join(' ')
      dispatch({ type: 'restored', ids: changed, left: untouched, notice })
    })
  }

  return { progress, removeAsked, undo }
}

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
