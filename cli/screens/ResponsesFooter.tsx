import { ProgressBar } from '@inkjs/ui'
import { Box, Text } from 'ink'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { deletionQuestion } from '../deletion-texts.ts'
import { displayed } from '../plain-text.ts'
import { KeyHints } from '../ui/KeyHints.tsx'
import type { Mode, ResponsesState } from './responses-state.ts'

/** More names than these are not read before a yes. */
const NAMED = 3

const keys: Record<Mode, Record<string, string>> = {
  table: {
    '↑↓': 'move',
    enter: 'read',
    q: 'quit',
    space: 'select',
    a: 'all',
    '/': 'search',
    s: 'sort',
    d: 'delete',
  },
  search: { enter: 'done', esc: 'clear' },
  response: { '↑↓': 'scroll', esc: 'back', '←→': 'other responses', d: 'delete' },
  question: { y: 'yes', n: 'no' },
  deleting: {},
}

type Props = { state: ResponsesState; shown: StoredRsvp[]; progress: number }

/** What has just happened or is being asked, and the keys that work now. */
export function ResponsesFooter(props: Props) {
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

function Status({ state, shown, progress }: Props) {
  const { mode, search, selected, asked, notice } = state
  if (mode === 'deleting') return <ProgressBar value={progress * 100} />
  if (mode === 'question') {
    return (
      <Text>
        <Text bold>{deletionQuestion(asked.length)}</Text> {namesOf(shown, asked)}
      </Text>
    )
  }
  if (mode === 'search') return <Text>Search: {search}█</Text>
  if (notice !== '') return <Text wrap="truncate-end">{notice}</Text>
  const hidden = selected.size - shown.filter(({ id }) => selected.has(id)).length
  const told = [
    selected.size > 0 ? `${selected.size} selected` : '',
    hidden > 0 ? `${hidden} of them hidden by the search` : '',
    search === '' ? '' : `searching for: ${search}`,
  ]
  return (
    <Text dimColor wrap="truncate-end">
      {told.filter((part) => part !== '').join(', ') || ' '}
    </Text>
  )
}

/** Whom a question is about, as long as these are few enough to be read. */
function namesOf(shown: StoredRsvp[], ids: number[]): string {
  if (ids.length > NAMED) return ''
  const names = shown.filter(({ id }) => ids.includes(id)).map(({ name }) => displayed(name))
  return `(${names.join(', ')})`
}
