import { atom, onMount, type WritableAtom } from 'nanostores'
import type { CallAt, ReadPath, ReplyOf } from '#site/calls.ts'
import { ResponseError, request, tryLater } from '#site/lib/request.ts'
import { t } from '#site/texts/texts.ts'
import { addErrorToast } from './toasts.ts'

export type ReplyAt<Path extends ReadPath> = ReplyOf<CallAt<`GET ${Path}`>>

/** The state of a read. `data` is null only after a 401, if `on401` is 'null'. */
export type Reading<Data> = { loading: boolean; data?: Data | null; error?: unknown }

export type Resource<Data> = WritableAtom<Reading<Data>> & { reload: () => Promise<void> }

export const $features = createResource('/api/features')
export const $volunteerRoles = createResource('/api/volunteer-roles')

export function newestRsvps(limit: number, week: string | undefined) {
  const path = `/api/rsvps?limit=${limit}${week ? `&week=${week}` : ''}` as const
  return createResource(path, () => addErrorToast(t('Failed to load responses')))
}

/**
 * JSON from a path of the server, read on the first subscription, and again only by `reload`. `admin/changeable.ts` adds
 * changes to a resource.
 * @param reportFailure is called after a failed read. Without it, the read is retried until it succeeds.
 * @param on401 whether a 401 is a failure (the default) or means null (specification, section 8).
 */
export function createResource<Path extends ReadPath>(
  path: Path,
  reportFailure?: (error: unknown) => void,
  on401: 'throw' | 'null' = 'throw',
): Resource<ReplyAt<Path>> {
  const $reading = atom<Reading<ReplyAt<Path>>>({ loading: true })
  let reading: Promise<void> | undefined

  /** Keeps the previous state until the result is known, so that the Try Again button keeps the focus. */
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
      if (reportFailure) reportFailure(error)
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
    // TypeScript cannot infer the type for a union of paths. `createResource` declares it.
    const reply: Pick<Response, 'json'> = await request(`GET ${path}`)
    return await reply.json()
  } catch (error) {
    if (on401 === 'null' && error instanceof ResponseError && error.status === 401) return null
    throw error
  }
}
