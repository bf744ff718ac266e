import { type RefObject, useState } from 'react'
import { sentencesOf } from '../../exit-code.ts'
import { deletionResult, restorationResult } from '../../responses/deletion-texts.ts'
import type { Written } from '../../responses/writes.ts'
import type { ResponsesState } from './responses-model.ts'
import type { ResponsesAction } from './responses-state.ts'

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
      const sentences = [deletionResult(deletion), ...(changed.length > 0 ? undo : []), ...sentencesOfFailure(failure)]
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
      const notice = [restorationResult(back, restoration), ...sentencesOfFailure(failure)].join(' ')
      dispatch({ type: 'restored', ids: changed, left: untouched, notice })
    })
  }

  return { progress, removeAsked, undo }
}

function sentencesOfFailure(failure: unknown): string[] {
  return failure === undefined ? [] : sentencesOf(failure)
}
