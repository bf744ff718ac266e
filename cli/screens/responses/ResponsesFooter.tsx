import { ProgressBar } from '@inkjs/ui'
import { Box, Text } from 'ink'
import { deletionQuestion, namesText } from '../../responses/deletion.ts'
import { FieldText } from '../../ui/Field.tsx'
import { KeyHints } from '../../ui/KeyHints.tsx'
import { QuestionInput } from '../../ui/question.tsx'
import type { Mode, ResponsesState } from './responses-state.ts'

const keys: Record<Mode, Record<string, string>> = {
  table: {
    enter: 'read',
    '?': 'keys',
    q: 'quit',
    '/': 'search',
    space: 'select',
    a: 'all',
    s: 'sort',
    d: 'delete',
    u: 'undo',
    r: 'reload',
  },
  search: { enter: 'done', esc: 'clear' },
  response: { '↑↓': 'scroll', esc: 'back', '←→': 'other responses', d: 'delete' },
  question: { esc: 'no' },
  working: {},
  help: { esc: 'back', '↑↓': 'scroll' },
}

type Props = { state: ResponsesState; listening: boolean }

/** What has just happened or is being asked, and the keys that work now. */
export function ResponsesFooter(props: Props) {
  const { mode } = props.state
  return (
    <Box flexDirection="column" marginTop={1} flexShrink={0}>
      <Box minHeight={2} flexDirection="column" justifyContent="flex-end">
        <Status {...props} />
      </Box>
      <KeyHints keys={keys[mode]} />
    </Box>
  )
}

function Status({ state, listening }: Props) {
  const { mode, search, asked, question, progress, notice } = state
  if (mode === 'working') return <ProgressBar value={progress * 100} />
  if (mode === 'question' && question !== undefined) {
    return (
      <>
        <Text>
          <Text bold>{deletionQuestion(asked.length)}</Text> ({namesText(asked)})
        </Text>
        <QuestionInput question={question} listening={listening} />
      </>
    )
  }
  if (mode === 'search') {
    return (
      <Box gap={1}>
        <Text>Search:</Text>
        <FieldText text={search} />
      </Box>
    )
  }
  return (
    <>
      {notice !== '' && <Text>{notice}</Text>}
      {/* A search still hides other responses. */}
      {(notice === '' || search !== '') && (
        <Text dimColor wrap="truncate-end">
          {told(state).join(', ') || ' '}
        </Text>
      )}
    </>
  )
}

function told({ shown, cursor, selected, search }: ResponsesState): string[] {
  const hidden = selected.size - shown.filter(({ id }) => selected.has(id)).length
  return [
    shown.length > 0 ? `${numeral(cursor + 1)} of ${numeral(shown.length)}` : '',
    selected.size > 0 ? `${numeral(selected.size)} selected` : '',
    hidden > 0 ? `${numeral(hidden)} of them hidden by the search` : '',
    search === '' ? '' : `searching for: ${search}`,
  ].filter((part) => part !== '')
}

function numeral(count: number): string {
  return count.toLocaleString('en-US')
}
