import type { FetcherStore, FetcherValue } from '@nanostores/query'
import { useStore } from '@nanostores/react'
import { atom } from 'nanostores'
import { useHydrated } from './use-hydrated.ts'

const $waiting = atom<FetcherValue<never>>({ loading: true })

/**
 * What the server sent along with the page; where it could not, or did not, the query, once in the browser.
 * @param initial null where the server sent nothing.
 */
export function useQuery<Data>(
  initial: Data | null,
  $query: FetcherStore<Data | null>,
  wanted = true,
): FetcherValue<Data | null> {
  const ask = useHydrated() && initial === null && wanted
  const answer = useStore(ask ? $query : $waiting)
  return initial === null ? answer : { data: initial, loading: false }
}
