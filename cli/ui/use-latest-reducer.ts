import { useCallback, useRef, useState } from 'react'

/**
 * Like React's useReducer, and beside the state that is drawn the one that is true already: of keys that arrive
 * together the second is pressed before anything is drawn.
 */
export function useLatestReducer<State, Action>(reducer: (state: State, action: Action) => State, initial: State) {
  const latest = useRef(initial)
  const [state, setState] = useState(initial)
  const dispatch = useCallback(
    (action: Action) => {
      latest.current = reducer(latest.current, action)
      setState(latest.current)
    },
    [reducer],
  )
  return { state, latest, dispatch }
}
