import { useCallback } from 'react'
import { useLatest } from './use-latest.ts'

/** Like React's useReducer, with the state that is true already beside the one that is drawn. */
export function useLatestReducer<State, Action>(reducer: (state: State, action: Action) => State, initial: State) {
  const { state, latest, set } = useLatest(() => initial)
  const dispatch = useCallback((action: Action) => set(reducer(latest.current, action)), [reducer, latest, set])
  return { state, latest, dispatch }
}
