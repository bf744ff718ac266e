import { useStore } from '@nanostores/react'
import { atom, type ReadableAtom } from 'nanostores'
import type { Answer } from '#site/stores/query.ts'
import { useHydrated } from './use-hydrated.ts'

const $waiting = atom<Answer<never>>({ loading: true })

/**
 * What the server sent along with the page; where it could not, or did not, the query, once in the browser.
 * @param initial null where the server sent nothing.
 */
export function useQuery<Data>(initial: Data | null, $query: ReadableAtom<Answer<Data>>, wanted = true): Answer<Data> {
  const ask = useHydrated() && initial === null && wanted
  const answer = useStore(ask ? $query : $waiting)
  return initial === null ? answer : { data: initial, loading: false }
}
