import { type Key, useInput } from 'ink'

/** Calls for every key. Over a slow line several arrive as one text; each of them is told by itself. */
export function useKeys(onKey: (input: string, key: Key) => void): void {
  useInput((input, key) => {
    if (input.length < 2) return onKey(input, key)
    for (const letter of input) onKey(letter === '\r' ? '' : letter, { ...key, return: letter === '\r' })
  })
}
