import { Box, Text } from 'ink'
import type { TextField } from './text-field.ts'

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
