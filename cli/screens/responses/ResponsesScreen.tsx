import { Box, Text, useWindowSize } from 'ink'
import { useState } from 'react'
import { detailsOf } from '../../responses/details.ts'
import { LabelledTexts } from '../../ui/LabelledTexts.tsx'
import { ScrollView } from '../../ui/ScrollView.tsx'
import { Table } from '../../ui/Table.tsx'
import { useLatestReducer } from '../../ui/use-latest-reducer.ts'
import { useListening } from '../../ui/use-listening.ts'
import { type Reading, useReading } from '../use-reading.ts'
import { ResponsesFooter } from './ResponsesFooter.tsx'
import { ResponsesHelp } from './ResponsesHelp.tsx'
import { ResponsesTitle } from './ResponsesTitle.tsx'
import { responseColumns } from './response-columns.ts'
import { nothingRead, type ResponsesState } from './responses-model.ts'
import { responsesReducer } from './responses-state.ts'
import { rememberedShown } from './shown-responses.ts'
import { useResponsesKeys } from './use-responses-keys.ts'
import { useWrites, type Writes } from './use-writes.ts'

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

/** The responses in a table: search, sort, read, select, delete. */
export function ResponsesScreen(props: ResponsesScreenProps) {
  const { purpose, filtered = false, week, zone, onQuit } = props
  const { columns, rows } = useWindowSize()
  const { state, latest, dispatch } = useLatestReducer(responsesReducer, nothingRead)
  const [shownOf] = useState(rememberedShown)
  const { progress, removeAsked, undo } = useWrites(props, latest, dispatch)
  const { listening, hears, notHeard } = useListening(state.mode === 'question' ? state.asked : undefined)
  useReading(props, state, dispatch)
  const { mode } = state
  const shown = shownOf(state)
  const height = Math.max(1, rows - OTHER_LINES - (week === undefined ? 0 : 1))
  const current = shown[state.cursor]

  useResponsesKeys(() => ({
    state: latest.current,
    shown: shownOf(latest.current),
    height,
    dispatch,
    hears: () => hears(latest.current.asked),
    onUnheard: notHeard,
    onDelete: removeAsked,
    onUndo: undo,
    onQuit,
  }))

  return (
    <Box flexDirection="column" width={columns} height={rows - 1}>
      <ResponsesTitle state={state} shown={shown} purpose={purpose} week={week} />
      <Box flexDirection="column" flexGrow={1} flexShrink={1} overflow="hidden">
        {mode === 'help' ? (
          <ResponsesHelp height={height} />
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
            keyOf={({ id }) => id}
            width={columns}
            height={height}
            cursor={state.cursor}
            isMarked={({ id }) => state.selected.has(id)}
          />
        )}
      </Box>
      <ResponsesFooter state={state} shown={shown} progress={progress} listening={listening} />
    </Box>
  )
}

function Nothing({ state: { complete, search, notice }, filtered }: { state: ResponsesState; filtered: boolean }) {
  if (notice !== '') return <Text> </Text>
  if (!complete) return <Text>Loading responses...</Text>
  if (search !== '') return <Text>No response holds these words. Press / to search for others.</Text>
  if (filtered) return <Text>No response fits what was asked for. `rsvp list --week all` shows all.</Text>
  return <Text>No responses yet. `rsvp share` shows the link for visitors.</Text>
}
