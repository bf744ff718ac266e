import { useInput, usePaste } from 'ink'
import { type Press, pressesOf } from './keys.ts'

/** Calls `onKey` for every key, and `onPaste`, if given, for a pasted text, which never counts as keys. */
export function useKeys(onPress: (press: Press) => void, onPaste: (text: string) => void = () => {}): void {
  useInput((input, key) => {
    for (const press of pressesOf(input, key)) onPress(press)
  })
  usePaste(onPaste)
}
