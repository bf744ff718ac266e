import { atom, onMount, type WritableAtom } from 'nanostores'
import type { CallAt, ReadPath, ReplyOf } from '#site/call-types.ts'
import { ResponseError, request } from '#site/lib/request.ts'
import { tryLater } from '#site/lib/try-later.ts'
import { tellFailedAct } from './failed-act.ts'

type ReplyAt<Path extends ReadPath> = ReplyOf<CallAt<`GET ${Path}`>>

/** Where a reading stands. `data` is null only for a 401 that was asked to be null. */
export type Reading<Data> = { loading: boolean; data?: Data | null; error?: unknown }

export type Resource<Data> = WritableAtom<Reading<Data>> & { reload: () => Promise<void> }

/**
 * What the server has at an address, as JSON: read once, on the first subscription; never stale, nothing read again on
 * focus or on a timer. `reload` is for the button Try Again. What changes it on this page is in
 * `admin/changeable.ts`, which visitors do not load.
 * @param failure what the notice says when it cannot be read; nothing is tried again by itself then. Without it there is
 * no notice: it is part of a page, which completes as soon as the site replies again.
 * @param on401 what a 401 means: a failure (the default), or null.
 */
export function createResource<Path extends ReadPath, Data extends ReplyAt<Path> = ReplyAt<Path>>(
  path: Path,
  failure?: string,
  on401: 'throw' | 'null' = 'throw',
): Resource<Data> {
  const $reading = atom<Reading<Data>>({ loading: true })
  /** How many readings were begun, and which of them brought what is shown. */
  let begun = 0
  let shown = 0

  /** What is shown stays until it is known how it went: also the button that was pressed, and the focus on it. */
  async function reload(): Promise<void> {
    begun += 1
    const own = begun
    try {
      const data = await readJson<Data>(path, on401)
      // A later reading may have been faster.
      if (own < shown) return
      shown = own
      $reading.set({ loading: false, data })
    } catch (error) {
      // What is there stays; and a reading that is still under way says for itself how it went.
      if (shown > 0 || own < begun) return
      $reading.set({ loading: false, error })
      if (failure !== undefined) tellFailedAct(failure, error)
      else tryLater(path, () => $reading.get().error !== undefined && reload())
    }
  }

  onMount($reading, () => {
    if (begun === 0) reload()
  })
  return Object.assign($reading, { reload })
}

async function readJson<Data>(path: ReadPath, on401: 'throw' | 'null'): Promise<Data | null> {
  try {
    // What it is says the type of the path, to whoever makes the resource.
    const reply: Pick<Response, 'json'> = await request(`GET ${path}`)
    return await reply.json()
  } catch (error) {
    if (on401 === 'null' && error instanceof ResponseError && error.status === 401) return null
    throw error
  }
}
