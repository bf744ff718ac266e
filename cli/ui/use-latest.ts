import { useCallback, useRef, useState } from 'react'

/**
 * Like React's useState, with the latest state beside the rendered one: when keys arrive together, the second is handled
 * before the first is rendered.
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
