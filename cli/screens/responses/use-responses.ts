import { useEffect } from 'react'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { sentencesOf } from '../../exit-code.ts'
import { restorationResult, type Written, writtenText } from '../../responses/deletion.ts'
import type { ResponsesState, ResponsesStore } from './responses-state.ts'

type Write = (ids: number[], report: (done: number) => void) => Promise<Written>

export type Writes = {
  /** To look around, or to choose what to delete and then quit. */
  purpose: 'look' | 'delete'
  remove: Write
  restore: Write
  /** The user quits, or has deleted in `rsvp delete`. */
  onQuit: () => void
}

export async function removeAsked(store: ResponsesStore, { purpose, remove, onQuit }: Writes): Promise<void> {
  const deletion = await write(store, store.$state.get().asked, remove)
  if (deletion === undefined) return
  if (purpose === 'delete') return onQuit()
  const { changed, notFound, failure } = deletion
  const sentences = [
    writtenText('Deleted', deletion),
    ...(changed.length > 0 ? [`Press u to restore ${changed.length === 1 ? 'it' : 'them'}.`] : []),
    ...(failure === undefined ? [] : sentencesOf(failure)),
  ]
  store.deleted(changed, notFound, sentences.join(' '))
}

/** Restores the last deletion. */
export async function undo(store: ResponsesStore, { restore }: Writes): Promise<void> {
  const last = store.$state.get().deletions.at(-1)
  if (last === undefined) {
    return store.change({ mode: 'table', notice: 'Nothing was deleted here that u could restore.' })
  }
  const restoration = await write(store, last, restore)
  if (restoration === undefined) return
  const { changed, untouched, failure } = restoration
  const back = last.filter(({ id }) => changed.includes(id))
  const sentences = [restorationResult(back, restoration), ...(failure === undefined ? [] : sentencesOf(failure))]
  store.restored(changed, untouched, sentences.join(' '))
}

/** @returns undefined if it failed, after showing why. */
async function write(store: ResponsesStore, responses: StoredRsvp[], work: Write): Promise<Written | undefined> {
  store.enter('working')
  store.change({ progress: 0 })
  try {
    return await work(
      responses.map(({ id }) => id),
      (done) => store.change({ progress: done / responses.length }),
    )
  } catch (error) {
    store.change({ mode: 'table', notice: sentencesOf(error).join(' ') })
    return undefined
  }
}

export type Reading = {
  /** Reads the responses from the newest on; again on reload. */
  pages: () => AsyncIterable<StoredRsvp[]>
}

/** Reads the responses page by page, all of them again in each round. */
export function useReading({ pages }: Reading, { round }: ResponsesState, store: ResponsesStore): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round reads everything once more.
  useEffect(() => {
    let gone = false
    async function read(): Promise<void> {
      for await (const page of pages()) {
        if (gone) return
        store.read(page)
        // A database file replies at once: without a turn of the event loop in between, no key would be read.
        await new Promise(setImmediate)
      }
      if (!gone) store.change({ complete: true })
    }
    read().catch((error) => {
      if (!gone) store.change({ complete: true, notice: sentencesOf(error).join(' ') })
    })
    return () => {
      gone = true
    }
  }, [pages, round, store])
}
