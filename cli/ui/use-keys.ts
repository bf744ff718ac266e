import { useInput, usePaste } from 'ink'
import { type Press, pressesOf } from './keys.ts'

/** Calls for every key, and for what is pasted, which is text and never keys; who does not ask for it gets none. */
export function useKeys(onPress: (press: Press) => void, onPaste: (text: string) => void = () => {}): void {
  useInput((input, key) => {
    for (const press of pressesOf(input, key)) onPress(press)
  })
  usePaste(onPaste)
}
