import { useStore } from '@nanostores/react'
import { Box, Text, useWindowSize } from 'ink'
import { useEffect, useState } from 'react'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { dayText } from '#db/values/dates.ts'
import { sentencesOf } from '../exit-code.ts'
import { detailsOf, responseColumns } from '../fields.ts'
import { deletionQuestion, namesText } from '../responses.ts'
import { FieldText } from './Field.tsx'
import { hintLines, KeyHints } from './KeyHints.tsx'
import { useKeys } from './keys.ts'
import { LabelledTexts } from './LabelledTexts.tsx'
import { QuestionInput } from './Question.tsx'
import {
  createResponses,
  type Mode,
  paste,
  press,
  type ResponsesState,
  type ResponsesStore,
  type Writes,
} from './responses-state.ts'
import { ScrollView } from './ScrollView.tsx'
import { Table } from './Table.tsx'

export type ResponsesScreenProps = Writes & {
  /** Reads the responses from the newest on; again on reload. */
  pages: () => AsyncIterable<StoredRsvp[]>
  /** The day of the service that they are for; undefined is for all services. */
  week?: string | undefined
  /** The time zone of the moments that are shown. */
  zone: string
  onQuit: () => void
}

/** Title, table header and status with the lines between them, and the last line, which stays empty. */
const OTHER_LINES = 7

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

const helpTexts: [string, string][] = [
  ['↑ ↓, k j', 'one response up or down'],
  ['PgUp PgDn', 'one page up or down'],
  ['Home End, g G', 'to the first, to the last'],
  ['Enter', 'read a response; ← → go to its neighbors'],
  ['/', 'search; Esc shows all again'],
  ['s', 'sort by newest, oldest, name, status'],
  ['Space', 'select a response, or not'],
  ['a', 'select all that the search has found, or none'],
  ['d, Delete', 'delete what is selected, or the response at the cursor; it asks first'],
  ['u', 'restore the last deletion'],
  ['r', 'read everything again'],
  ['q, Esc', 'quit'],
  ['In a search', 'Ctrl+W removes a word, Ctrl+U all'],
]

/** The responses in a table, on the whole terminal: search, sort, read, select, delete. */
export function ResponsesScreen({ pages, week, zone, remove, restore, onQuit }: ResponsesScreenProps) {
  const { columns, rows } = useWindowSize()
  const [store] = useState(() => createResponses({ remove, restore }))
  const state = useStore(store.$state)
  const { mode, shown } = state
  const height = Math.max(1, rows - OTHER_LINES - hintLines(keys[mode], columns) - (week === undefined ? 0 : 1))
  const current = shown[state.cursor]
  const attending = shown.filter((response) => response.attending).length
  useReading(pages, state.round, store)
  useKeys(
    (key) => press(key, store, height, onQuit),
    (text) => paste(text, store),
  )

  return (
    <Box flexDirection="column" width={columns} height={rows - 1}>
      <Box flexDirection="column" marginBottom={1} flexShrink={0}>
        <Text wrap="truncate-end">
          <Text bold>RSVP Responses</Text>
          {`  Attending ${attending}, Not Attending ${shown.length - attending}${state.complete ? '' : ', reading more…'}  `}
          <Text dimColor>by {state.sorting}</Text>
        </Text>
        {week !== undefined && <Text wrap="truncate-end">For {dayText(week)}</Text>}
      </Box>
      <Box flexDirection="column" flexGrow={1} flexShrink={1} overflow="hidden">
        {mode === 'help' ? (
          <ScrollView height={height}>
            <LabelledTexts texts={helpTexts} />
          </ScrollView>
        ) : mode === 'response' && current !== undefined ? (
          <ScrollView key={current.id} height={height}>
            <LabelledTexts texts={detailsOf(current, zone)} />
          </ScrollView>
        ) : shown.length === 0 ? (
          <Text>{emptyText(state)}</Text>
        ) : (
          <Table
            columns={responseColumns(zone)}
            rows={shown}
            width={columns}
            height={height}
            cursor={state.cursor}
            isMarked={({ id }) => state.selected.has(id)}
          />
        )}
      </Box>
      <Box flexDirection="column" marginTop={1} flexShrink={0}>
        <Box minHeight={2} flexDirection="column" justifyContent="flex-end">
          <Status {...state} />
        </Box>
        <KeyHints keys={keys[mode]} />
      </Box>
    </Box>
  )
}

/** Reads the responses page by page, all of them again in each round. */
function useReading(pages: ResponsesScreenProps['pages'], round: number, store: ResponsesStore): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round reads everything once more.
  useEffect(() => {
    let gone = false
    async function read(): Promise<void> {
      for await (const page of pages()) {
        if (gone) return
        store.read(page)
        // A database file replies at once: without a turn of the event loop in between, no key would be read.
        await new Promise(setImmediate)
      }
      if (!gone) store.change({ complete: true })
    }
    read().catch((error) => {
      if (!gone) store.change({ complete: true, notice: sentencesOf(error).join(' ') })
    })
    return () => {
      gone = true
    }
  }, [pages, round, store])
}

function emptyText({ complete, search, notice }: ResponsesState): string {
  if (notice !== '') return ' '
  if (!complete) return 'Loading responses...'
  if (search !== '') return 'No response contains these words. Press / to search for others.'
  return 'No responses here. `rsvp list --week all` shows all.'
}

/** What has just happened, is being asked, or is shown. */
function Status({ mode, shown, cursor, selected, search, asked, question, notice }: ResponsesState) {
  if (mode === 'question' && question !== undefined) {
    return (
      <>
        <Text>
          <Text bold>{deletionQuestion(asked.length)}</Text> ({namesText(asked)})
        </Text>
        <QuestionInput question={question} />
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
  const parts = [
    shown.length > 0 && `${cursor + 1} of ${shown.length}`,
    selected.size > 0 && `${selected.size} selected`,
    search !== '' && `searching for: ${search}`,
  ]
  return (
    <>
      {notice !== '' && <Text>{notice}</Text>}
      {/* A search still hides other responses. */}
      {(notice === '' || search !== '') && (
        <Text dimColor wrap="truncate-end">
          {parts.filter(Boolean).join(', ') || ' '}
        </Text>
      )}
    </>
  )
}
