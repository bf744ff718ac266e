import type { ReadableAtom } from 'nanostores'
import { useSyncExternalStore } from 'react'

/**
 * Returns what a store holds, and draws again when that changes. `@nanostores/react` also follows single keys of maps, of
 * which there are none here: 0.4 kB for every visitor.
 */
export function useStore<Value>($store: ReadableAtom<Value>): Value {
  return useSyncExternalStore($store.listen, $store.get, $store.get)
}
