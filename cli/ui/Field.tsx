import { Box, Text } from 'ink'
import { displayed } from '../output/plain-text.ts'
import type { Press } from './keys.ts'

/** A text being typed. The cursor is before this UTF-16 code unit, and never within a visible character. */
export type TextField = { text: string; cursor: number }

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

const home = ({ text }: TextField): TextField => ({ text, cursor: 0 })
const end = ({ text }: TextField): TextField => fieldOf(text)
const left = (field: TextField): TextField => ({ ...field, cursor: before(field) })
const right = (field: TextField): TextField => ({ ...field, cursor: after(field) })
const wordLeft = (field: TextField): TextField => ({ ...field, cursor: wordBefore(field) })
const wordRight = (field: TextField): TextField => ({ ...field, cursor: wordAfter(field) })
const backspace = (field: TextField): TextField => without(field, before(field), field.cursor)
const remove = (field: TextField): TextField => without(field, field.cursor, after(field))
const removeWord = (field: TextField): TextField => without(field, wordBefore(field), field.cursor)

const edits: Record<string, (field: TextField) => TextField> = {
  left,
  right,
  home,
  end,
  backspace,
  delete: remove,
  'ctrl+a': home,
  'ctrl+e': end,
  'ctrl+b': left,
  'ctrl+f': right,
  'ctrl+left': wordLeft,
  'ctrl+right': wordRight,
  'alt+b': wordLeft,
  'alt+f': wordRight,
  'ctrl+d': remove,
  'ctrl+w': removeWord,
  'alt+backspace': removeWord,
  'ctrl+u': (field) => without(field, 0, field.cursor),
  'ctrl+k': (field) => without(field, field.cursor, field.text.length),
}

/** A field with the cursor at the end. */
export function fieldOf(text: string): TextField {
  return { text, cursor: text.length }
}

/** The field after inserting a text at the cursor, on one line and without anything that a terminal would obey. */
export function typed({ text, cursor }: TextField, more: string): TextField {
  const shown = displayed(more)
  return { text: text.slice(0, cursor) + shown + text.slice(cursor), cursor: cursor + shown.length }
}

/** The field after an editing key, one that shells know; undefined for any other key. */
export function edited(field: TextField, press: Press): TextField | undefined {
  if (press.text !== '') return typed(field, press.text)
  return edits[press.key]?.(field)
}

/** The text being typed, on one line: if it is too long, the part around the cursor. */
export function FieldText({ field: { text, cursor }, placeholder = '' }: { field: TextField; placeholder?: string }) {
  return (
    <Box>
      <Text wrap="truncate-start">{text.slice(0, cursor)}</Text>
      {(text !== '' || placeholder === '') && (
        <Box flexShrink={0}>
          <Text>█</Text>
        </Box>
      )}
      <Box flexShrink={1000}>
        <Text wrap="truncate-end">{text.slice(cursor)}</Text>
      </Box>
      {text === '' && (
        <Text dimColor wrap="truncate-end">
          {placeholder}
        </Text>
      )}
    </Box>
  )
}

function without({ text }: TextField, from: number, to: number): TextField {
  return { text: text.slice(0, from) + text.slice(to), cursor: from }
}

/** Where the visible character before the cursor begins. */
function before({ text, cursor }: TextField): number {
  let start = 0
  for (const { index } of graphemes.segment(text)) if (index < cursor) start = index
  return start
}

/** Where the visible character after the cursor ends. */
function after({ text, cursor }: TextField): number {
  for (const { index } of graphemes.segment(text)) if (index > cursor) return index
  return text.length
}

function wordBefore({ text, cursor }: TextField): number {
  return text.slice(0, cursor).trimEnd().search(/\S*$/)
}

function wordAfter({ text, cursor }: TextField): number {
  const [skipped = ''] = /^\s*\S*/.exec(text.slice(cursor)) ?? []
  return cursor + skipped.length
}
