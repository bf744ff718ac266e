import { useStore } from '@nanostores/react'
import { atom } from 'nanostores'
import type { Reading, Resource } from '#site/stores/resource.ts'
import { useHydrated } from './use-hydrated.ts'

const $notLoaded = atom<Reading<never>>({ loading: true })

/**
 * Returns what the server sent with the page, or else loads the resource once in the browser.
 * @param initial null if the server sent nothing.
 * @param enabled false while the page does not need the resource.
 */
export function useResource<Data>(initial: Data | null, $resource: Resource<Data>, enabled = true): Reading<Data> {
  const load = useHydrated() && initial === null && enabled
  const reading = useStore(load ? $resource : $notLoaded)
  return initial === null ? reading : { data: initial, loading: false }
}
