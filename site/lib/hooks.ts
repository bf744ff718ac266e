import { useStore } from '@nanostores/react'
import { atom } from 'nanostores'
import { useSyncExternalStore } from 'react'
import type { Reading, Resource } from '#site/stores/resources.ts'

const subscribeToNothing = () => () => {}

/** False on the server and during hydration, true afterwards. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  )
}

const $notLoaded = atom<Reading<never>>({ loading: true })

/**
 * Returns the data that the server sent with the page, or else loads the resource once in the browser.
 * @param initial what the server sent: null or undefined if nothing.
 * @param enabled false while the page does not need the resource.
 */
export function useResource<Data>(
  initial: Data | null | undefined,
  $resource: Resource<Data>,
  enabled = true,
): Reading<Data> & { reload: () => Promise<void> } {
  const isMissing = initial === null || initial === undefined
  const load = useHydrated() && isMissing && enabled
  const reading = useStore(load ? $resource : $notLoaded)
  const { reload } = $resource
  return isMissing ? { ...reading, reload } : { data: initial, loading: false, reload }
}

/** A ref that focuses its element when it appears. React calls a stable function only once. */
export function focusOnce(element: HTMLElement | null): void {
  element?.focus()
}
