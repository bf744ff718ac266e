import type { ReadableAtom } from 'nanostores'
import { useSyncExternalStore } from 'react'

/**
 * Returns what a store holds, and draws again when that changes. `@nanostores/react` also follows single keys of maps,
 * which no store here is, and would cost every visitor 0.4 kB.
 */
export function useStore<Value>($store: ReadableAtom<Value>): Value {
  return useSyncExternalStore($store.listen, $store.get, $store.get)
}
