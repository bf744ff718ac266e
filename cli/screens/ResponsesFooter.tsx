import { ProgressBar } from '@inkjs/ui'
import { Box, Text } from 'ink'
import { deletionQuestion } from '../deletion-texts.ts'
import { KeyHints } from '../ui/KeyHints.tsx'
import type { Mode, ResponsesState } from './responses-state.ts'

const keys: Record<Mode, Record<string, string>> = {
  table: {
    '↑↓': 'move',
    enter: 'read',
    space: 'select',
    a: 'all',
    '/': 'search',
    s: 'sort',
    d: 'delete',
    q: 'quit',
  },
  search: { enter: 'done', esc: 'clear' },
  response: { '↑↓': 'scroll', '←→': 'other responses', d: 'delete', esc: 'back' },
  question: { y: 'yes', n: 'no' },
  deleting: {},
}

/** What has just happened or is being asked, and the keys that work now. */
export function ResponsesFooter(props: { state: ResponsesState; count: number; progress: number }) {
  const { mode } = props.state
  return (
    <Box flexDirection="column" marginTop={1} flexShrink={0}>
      <Box height={2} flexDirection="column" justifyContent="flex-end">
        <Status {...props} />
      </Box>
      <KeyHints keys={keys[mode]} />
    </Box>
  )
}

function Status({ state, count, progress }: { state: ResponsesState; count: number; progress: number }) {
  const { mode, search, selected, notice } = state
  if (mode === 'deleting') return <ProgressBar value={progress * 100} />
  if (mode === 'question') return <Text bold>{deletionQuestion(count)}</Text>
  if (mode === 'search') return <Text>Search: {search}█</Text>
  if (notice !== '') return <Text wrap="truncate-end">{notice}</Text>
  const told = [selected.size > 0 ? `${selected.size} selected` : '', search === '' ? '' : `searching for: ${search}`]
  return <Text dimColor>{told.filter((part) => part !== '').join(', ') || ' '}</Text>
}
