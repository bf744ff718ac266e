import { useStore } from '@nanostores/react'
import { atom } from 'nanostores'
import type { Reading, Resource } from '#site/stores/resource.ts'
import { useHydrated } from './use-hydrated.ts'

const $waiting = atom<Reading<never>>({ loading: true })

/**
 * What the server sent along with the page; where it could not, or did not, the resource, read once in the browser.
 * @param initial null where the server sent nothing.
 */
export function useResource<Data>(initial: Data | null, $resource: Resource<Data>, wanted = true): Reading<Data> {
  const ask = useHydrated() && initial === null && wanted
  const reading = useStore(ask ? $resource : $waiting)
  return initial === null ? reading : { data: initial, loading: false }
}
