import { type Key, useInput, usePaste } from 'ink'

/**
 * A key that was pressed. `key` is its name: the letter itself, or e.g. `enter`, `pageDown`, `ctrl+a`, `alt+left`. With
 * Ctrl or Alt held it never has the name of the letter alone. `text` is what it types, if anything.
 */
export type Press = { key: string; text: string }

/** The keys without a letter, as Ink flags them: `upArrow` is `up`, and `return` is `enter`. */
const flags = [
  ...(['upArrow', 'downArrow', 'leftArrow', 'rightArrow', 'pageUp', 'pageDown', 'home', 'end'] as const),
  ...(['return', 'escape', 'tab', 'backspace', 'delete'] as const),
]

const controls: Record<string, string> = { '\r': 'enter', '\t': 'tab', '\b': 'backspace', '\u007f': 'backspace' }

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Splits an input of Ink into keys: over a slow line several keys arrive as one text. @public for its test. */
export function pressesOf(input: string, key: Key): Press[] {
  const held = `${key.ctrl ? 'ctrl+' : ''}${key.meta ? 'alt+' : ''}`
  const flag = flags.find((name) => key[name])
  if (flag !== undefined) return [{ key: held + flag.replace('Arrow', '').replace('return', 'enter'), text: '' }]
  if (held !== '') return [{ key: held + input.toLowerCase(), text: '' }]
  return Array.from(graphemes.segment(input), ({ segment }) => pressOf(segment))
}

/** Calls `onPress` for every key, and `onPaste` for a pasted text, which never counts as keys. */
export function useKeys(onPress: (press: Press) => void, onPaste: (text: string) => void = () => {}): void {
  useInput((input, key) => {
    for (const press of pressesOf(input, key)) onPress(press)
  })
  usePaste(onPaste)
}

/** By how many lines a key moves, in something of `count` lines of which `height` are shown; 0 for any other key. */
export function distanceOf(key: string, height: number, count: number): number {
  const distances: Record<string, number> = {
    up: -1,
    k: -1,
    down: 1,
    j: 1,
    pageUp: -height,
    pageDown: height,
    home: -count,
    g: -count,
    end: count,
    G: count,
  }
  return distances[key] ?? 0
}

function pressOf(segment: string): Press {
  const control = controls[segment]
  if (control !== undefined) return { key: control, text: '' }
  const code = segment.charCodeAt(0)
  return code < 0x20 ? { key: `ctrl+${String.fromCharCode(code + 0x60)}`, text: '' } : { key: segment, text: segment }
}
