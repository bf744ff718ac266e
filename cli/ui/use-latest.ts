import { useCallback, useRef, useState } from 'react'

/**
 * Like React's useState, and beside the state that is drawn the one that is true already: of keys that arrive together
 * the second is pressed before anything is drawn.
 */
export function useLatest<State>(initial: () => State) {
  const [state, setState] = useState(initial)
  const latest = useRef(state)
  const set = useCallback((next: State) => {
    latest.current = next
    setState(next)
  }, [])
  return { state, latest, set }
}
