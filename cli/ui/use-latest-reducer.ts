import { useCallback } from 'react'
import { useLatest } from './use-latest.ts'

/** Like React's useReducer, with the latest state beside the rendered one. */
export function useLatestReducer<State, Action>(reducer: (state: State, action: Action) => State, initial: State) {
  const { state, latest, set } = useLatest(() => initial)
  const dispatch = useCallback((action: Action) => set(reducer(latest.current, action)), [reducer, latest, set])
  return { state, latest, dispatch }
}
