import { useStore } from '@nanostores/react'
import { Box, Text, useWindowSize } from 'ink'
import { useState } from 'react'
import { shownTimeZone } from '#db/schedule/read-schedule.ts'
import { dayText } from '#db/values/dates.ts'
import { type Context, withCurrentTime } from '../../context.ts'
import { deleteResponses, restoreDeleted, type Written } from '../../responses/deletion.ts'
import { detailsOf, responseColumns } from '../../responses/shown.ts'
import { drawScreen } from '../../ui/draw.tsx'
import { LabelledTexts } from '../../ui/LabelledTexts.tsx'
import { ScrollView } from '../../ui/ScrollView.tsx'
import { Table } from '../../ui/Table.tsx'
import { useListening } from '../../ui/use-listening.ts'
import { ResponsesFooter } from './ResponsesFooter.tsx'
import { createResponses, type ResponsesState } from './responses-state.ts'
import { type Reading, removeAsked, undo, useReading, type Writes } from './use-responses.ts'
import { useResponsesKeys } from './use-responses-keys.ts'

export type ResponsesScreenProps = {
  /** The responses are filtered: if none match, others may exist. */
  filtered?: boolean
  /** The day of the service that they are for; undefined is for all services. */
  week?: string | undefined
  /** The time zone of the moments that are shown. */
  zone: string
} & Reading &
  Writes

/** Title, table header and footer with the lines between them, and the last line, which stays empty. */
const OTHER_LINES = 8

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
  ['Ctrl+Z', 'back to the shell; fg returns here'],
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
  const remove: Writes['remove'] = (ids, report) => {
    deletion = deleteResponses(ids, report, withCurrentTime(context))
    return deletion
  }
  const restore: Writes['restore'] = (ids, report) => restoreDeleted(ids, report, withCurrentTime(context))
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
  const height = Math.max(1, rows - OTHER_LINES - (week === undefined ? 0 : 1))
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
      <ResponsesFooter state={state} listening={listening} />
    </Box>
  )
}

function Nothing({ state: { complete, search, notice }, filtered }: { state: ResponsesState; filtered: boolean }) {
  if (notice !== '') return <Text> </Text>
  if (!complete) return <Text>Loading responses...</Text>
  if (search !== '') return <Text>No response contains these words. Press / to search for others.</Text>
  if (filtered) return <Text>No response matches. `rsvp list --week all` shows all.</Text>
  return <Text>No responses yet. `rsvp share` shows the link for visitors.</Text>
}
