import { Box, Text } from 'ink'
import { displayed } from '../plain-text.ts'
import type { Press } from './keys.ts'

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** The text with more at its end, on one line and without anything that a terminal would obey. */
export function typed(text: string, more: string): string {
  return text + displayed(more)
}

/** The text after a key that changes its end; undefined for any other key. */
export function edited(text: string, press: Press): string | undefined {
  if (press.text !== '') return typed(text, press.text)
  switch (press.key) {
    case 'backspace':
      return Array.from(graphemes.segment(text), ({ segment }) => segment)
        .slice(0, -1)
        .join('')
    case 'ctrl+w':
    case 'alt+backspace':
      return text.trimEnd().replace(/\S+$/, '')
    case 'ctrl+u':
      return ''
    default:
      return undefined
  }
}

/** The text being typed, on one line: if it is too long, its end. */
export function FieldText({ text }: { text: string }) {
  return (
    <Box>
      <Text wrap="truncate-start">{text}</Text>
      <Box flexShrink={0}>
        <Text>█</Text>
      </Box>
    </Box>
  )
}
