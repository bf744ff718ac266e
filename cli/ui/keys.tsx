import { useStore } from '@nanostores/react'
import { type Key, Text, useInput, usePaste } from 'ink'
import { atom } from 'nanostores'
import { useState } from 'react'
import { displayed } from '../plain-text.ts'

/** The keys without a letter, by their flags in Ink. */
const flags = {
  upArrow: 'up',
  downArrow: 'down',
  pageUp: 'pageUp',
  pageDown: 'pageDown',
  home: 'home',
  end: 'end',
  return: 'enter',
  escape: 'escape',
  backspace: 'backspace',
  delete: 'delete',
} as const

const controls: Record<string, string> = { '\r': 'enter', '\b': 'backspace', '\u007f': 'backspace' }
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/**
 * Splits an input of Ink into keys: letters, and names such as `enter`. Over a slow line several keys arrive as one text.
 * Keys pressed together with Ctrl or Alt are left out. @public for its test.
 */
export function keysOf(input: string, key: Key): string[] {
  for (const [flag, name] of Object.entries(flags)) if (key[flag as keyof typeof flags]) return [name]
  if (key.ctrl || key.meta) return []
  return lettersOf(input).flatMap((letter) => controls[letter] ?? (/^\p{Cc}/u.test(letter) ? [] : [letter]))
}

/** Calls `onKey` for every key, and `onPaste` for a pasted text, which never counts as keys. */
export function useKeys(onKey: (key: string) => void, onPaste: (text: string) => void = () => {}): void {
  useInput((input, key) => {
    for (const each of keysOf(input, key)) onKey(each)
  })
  usePaste(onPaste)
}

/**
 * State that keys change. `get` returns the latest, unlike the state that was last rendered: several keys can arrive
 * before the next rendering.
 */
export function useKeyState<State extends object>(initial: () => State) {
  const [$state] = useState(() => atom(initial()))
  const get = (): State => $state.get()
  const change = (part: Partial<State>) => $state.set({ ...get(), ...part })
  return { state: useStore($state) as State, get, change }
}

/** By how many lines a key moves, in something of `count` lines of which `height` are shown; 0 for any other key. */
export function distanceOf(key: string, height: number, count: number): number {
  const distances: Record<string, number> = {
    up: -1,
    down: 1,
    pageUp: -height,
    pageDown: height,
    home: -count,
    end: count,
  }
  return distances[key] ?? 0
}

/** The text after a key that changes its end; undefined for any other key. */
export function edited(text: string, key: string): string | undefined {
  if (key === 'backspace') return lettersOf(text).slice(0, -1).join('')
  return Object.values<string>(flags).includes(key) ? undefined : typed(text, key)
}

/** The text with `more` at its end, on one line and without control characters. */
export function typed(text: string, more: string): string {
  return text + displayed(more)
}

/** The keys that work now, e.g. `d delete  q quit`, the most important first. */
export function KeyHints({ keys }: { keys: Record<string, string> }) {
  const hints = Object.entries(keys).map(([key, meaning]) => `${key} ${meaning}`)
  return (
    <Text dimColor wrap="truncate-end">
      {hints.join('  ') || ' '}
    </Text>
  )
}

function lettersOf(text: string): string[] {
  return Array.from(graphemes.segment(text), ({ segment }) => segment)
}
