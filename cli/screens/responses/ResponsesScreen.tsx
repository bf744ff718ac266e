import { useStore } from '@nanostores/react'
import { Box, Text, useWindowSize } from 'ink'
import { useState } from 'react'
import { shownTimeZone } from '#db/schedule/read-schedule.ts'
import { dayText } from '#db/values/dates.ts'
import type { Context } from '../../context.ts'
import { deleteResponses, deletionQuestion, namesText, restoreDeleted, type Written } from '../../responses/deletion.ts'
import { detailsOf, responseColumns } from '../../responses/shown.ts'
import { drawScreen } from '../../ui/draw.tsx'
import { FieldText } from '../../ui/Field.tsx'
import { hintLines, KeyHints } from '../../ui/KeyHints.tsx'
import { LabelledTexts } from '../../ui/LabelledTexts.tsx'
import { QuestionInput } from '../../ui/question.tsx'
import { ScrollView } from '../../ui/ScrollView.tsx'
import { Table } from '../../ui/Table.tsx'
import { useListening } from '../../ui/use-listening.ts'
import { createResponses, type Mode, type ResponsesState } from './responses-state.ts'
import { type Reading, removeAsked, undo, useReading, useResponsesKeys, type Writes } from './use-responses.ts'

export type ResponsesScreenProps = {
  /** The responses are filtered: if none match, others may exist. */
  filtered?: boolean
  /** The day of the service that they are for; undefined is for all services. */
  week?: string | undefined
  /** The time zone of the moments that are shown. */
  zone: string
} & Reading &
  Writes

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

/**
 * Shows the responses on the whole terminal, until the user quits or, in `rsvp delete`, has deleted.
 * @returns the last deletion: after Ctrl+C the screen closes before it has ended.
 */
export async function showResponses(
  props: Pick<ResponsesScreenProps, 'filtered' | 'week' | 'pages' | 'purpose'>,
  context: Context,
): Promise<Written | undefined> {
  let deletion: Promise<Written> | undefined
  // The screen may stay open for days: actions happen at the current time, not when it was opened.
  const current = (): Context => ({ ...context, call: { ...context.call, now: new Date() } })
  const remove: Writes['remove'] = (ids, report) => {
    deletion = deleteResponses(ids, report, current())
    return deletion
  }
  const restore: Writes['restore'] = (ids, report) => restoreDeleted(ids, report, current())
  const { io, signal } = context
  const zone = await shownTimeZone()
  await drawScreen(ResponsesScreen, { ...props, zone, remove, restore }, { io, signal, fullScreen: true })
  return deletion
}

/** The responses in a table: search, sort, read, select, delete. @public for its test. */
export function ResponsesScreen(props: ResponsesScreenProps) {
  const { purpose, filtered = false, week, zone, onQuit } = props
  const { columns, rows } = useWindowSize()
  const [store] = useState(createResponses)
  const state = useStore(store.$state)
  const { listening, hears, notHeard } = useListening(state.mode === 'question' ? state.asked : undefined)
  useReading(props, state, store)
  const { mode, shown } = state
  const height = Math.max(1, rows - OTHER_LINES - hintLines(keys[mode], columns) - (week === undefined ? 0 : 1))
  const current = shown[state.cursor]
  const attending = shown.filter((response) => response.attending).length

  useResponsesKeys({
    store,
    height,
    hears: () => hears(store.$state.get().asked),
    onUnheard: notHeard,
    onDelete: () => void removeAsked(store, props),
    onUndo: () => void undo(store, props),
    onQuit,
  })

  return (
    <Box flexDirection="column" width={columns} height={rows - 1}>
      <Box flexDirection="column" marginBottom={1} flexShrink={0}>
        <Text wrap="truncate-end">
          <Text bold>{purpose === 'look' ? 'RSVP Responses' : 'Choose what to delete'}</Text>
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
          <Nothing state={state} filtered={filtered} />
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
      <Footer state={state} listening={listening} />
    </Box>
  )
}

function Nothing({ state: { complete, search, notice }, filtered }: { state: ResponsesState; filtered: boolean }) {
  if (notice !== '') return <Text> </Text>
  if (!complete) return <Text>Loading responses...</Text>
  if (search !== '') return <Text>No response contains these words. Press / to search for others.</Text>
  if (filtered) return <Text>No response matches. `rsvp list --week all` shows all.</Text>
  return <Text>No responses yet.</Text>
}

type FooterProps = { state: ResponsesState; listening: boolean }

/** What has just happened or is being asked, and the keys that work now. */
function Footer(props: FooterProps) {
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

function Status({ state, listening }: FooterProps) {
  const { mode, search, asked, question, progress, notice } = state
  if (mode === 'working') return <Text>{Math.round(progress * 100)} % done</Text>
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
