import { nanoquery } from '@nanostores/query'
import { ResponseError, request } from '#site/lib/request.ts'

/** Read once: never stale, nothing read again on focus or on a timer, nothing tried again by itself. */
const [createFetcherStore] = nanoquery({
  dedupeTime: Number.POSITIVE_INFINITY,
  cacheLifetime: Number.POSITIVE_INFINITY,
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
  revalidateInterval: 0,
  onErrorRetry: false,
})

/**
 * A GET of the key's first element, read as JSON.
 * @param on401 what an answer 401 means: a failure (the default), or null.
 */
export function createQuery<Data>(
  key: [path: string, ...rest: string[]],
  { on401 = 'throw' }: { on401?: 'throw' | 'null' } = {},
) {
  return createFetcherStore<Data | null>(key, { fetcher: () => readJson<Data>(key[0], on401) })
}

/** @throws ResponseError for every answer that is no success, but for a 401 that was asked to be null. */
export async function readJson<Data>(path: string, on401: 'throw' | 'null' = 'throw'): Promise<Data | null> {
  try {
    return await (await request(path)).json()
  } catch (error) {
    if (on401 === 'null' && error instanceof ResponseError && error.status === 401) return null
    throw error
  }
}
