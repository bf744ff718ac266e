import { atom, onMount, type WritableAtom } from 'nanostores'
import type { CallAt, ReadPath, ReplyOf } from '#site/call-types.ts'
import { ResponseError, request, tryLater } from '#site/lib/request.ts'
import { t } from '#site/texts/texts.ts'
import { addErrorToast } from './toasts.ts'

export type ReplyAt<Path extends ReadPath> = ReplyOf<CallAt<`GET ${Path}`>>

/** The state of a read. `data` is null only for a 401 if `on401` says so. */
export type Reading<Data> = { loading: boolean; data?: Data | null; error?: unknown }

export type Resource<Data> = WritableAtom<Reading<Data>> & { reload: () => Promise<void> }

export const $features = createResource('/api/features')
export const $volunteerRoles = createResource('/api/volunteer-roles')

export function newestRsvps(limit: number, week: string | undefined) {
  const path = `/api/rsvps?limit=${limit}${week ? `&week=${week}` : ''}` as const
  return createResource(path, () => addErrorToast(t('Failed to load responses')))
}

/**
 * JSON from a path of the server, read once, on the first subscription, and never again on focus or on a timer;
 * `reload` is for the Try Again button. Changes are in `admin/changeable.ts`, which visitors do not load.
 * @param tellFailure reports a failed read, which is then not retried. Without it the read is retried until the site is
 * back.
 * @param on401 what a 401 means: a failure (the default), or null (specification, section 8).
 */
export function createResource<Path extends ReadPath>(
  path: Path,
  tellFailure?: (error: unknown) => void,
  on401: 'throw' | 'null' = 'throw',
): Resource<ReplyAt<Path>> {
  const $reading = atom<Reading<ReplyAt<Path>>>({ loading: true })
  let reading: Promise<void> | undefined

  /** Keeps showing the previous state until the result is known, with the pressed button and its focus. */
  function reload(): Promise<void> {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }

  async function read(): Promise<void> {
    try {
      $reading.set({ loading: false, data: await readJson<ReplyAt<Path>>(path, on401) })
    } catch (error) {
      $reading.set({ loading: false, error })
      if (tellFailure) tellFailure(error)
      else tryLater(path, () => $reading.get().error !== undefined && reload())
    }
  }

  onMount($reading, () => {
    if ($reading.get().loading) reload()
  })
  return Object.assign($reading, { reload })
}

async function readJson<Data>(path: ReadPath, on401: 'throw' | 'null'): Promise<Data | null> {
  try {
    // TypeScript cannot compute the type for a path that may be any of several; `createResource` declares it.
    const reply: Pick<Response, 'json'> = await request(`GET ${path}`)
    return await reply.json()
  } catch (error) {
    if (on401 === 'null' && error instanceof ResponseError && error.status === 401) return null
    throw error
  }
}
