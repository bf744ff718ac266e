import { Box, Text, useWindowSize } from 'ink'
import { useEffect, useState } from 'react'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import type { Deletion } from '../delete-responses.ts'
import { deletionResult } from '../deletion-texts.ts'
import { sentencesOf } from '../exit-code.ts'
import { detailsOf } from '../response-details.ts'
import { LabelledTexts } from '../ui/LabelledTexts.tsx'
import { ScrollView } from '../ui/ScrollView.tsx'
import { Table } from '../ui/Table.tsx'
import { useLatestReducer } from '../ui/use-latest-reducer.ts'
import { ResponsesFooter } from './ResponsesFooter.tsx'
import { ResponsesTitle } from './ResponsesTitle.tsx'
import { responseColumns } from './response-columns.ts'
import { nothingRead, type ResponsesState, rememberedShown, responsesReducer } from './responses-state.ts'
import { useResponsesKeys } from './use-responses-keys.ts'

export type ResponsesScreenProps = {
  pages: AsyncIterable<StoredRsvp[]>
  /** To look around, or to choose what to delete and then be done. */
  purpose: 'look' | 'delete'
  /** Not all responses were asked for: where there are none, others may be there. */
  filtered?: boolean
  remove: (ids: number[], report: (done: number) => void) => Promise<Deletion>
  /** Somebody quits, or has deleted where that was the purpose. */
  onDone: () => void
}

/** Title, head of the table and footer with the lines between them, and the terminal's last line, which stays free. */
const OTHER_LINES = 8

/** The responses in a table: search, sort, read, select, delete. */
export function ResponsesScreen({ pages, purpose, filtered = false, remove, onDone }: ResponsesScreenProps) {
  const { columns, rows } = useWindowSize()
  const { state, latest, dispatch } = useLatestReducer(responsesReducer, nothingRead)
  const [shownOf] = useState(rememberedShown)
  const [progress, setProgress] = useState(0)
  const { mode } = state
  const shown = shownOf(state)
  const height = Math.max(1, rows - OTHER_LINES)
  const current = shown[state.cursor]

  useEffect(() => {
    async function read() {
      for await (const page of pages) {
        dispatch({ type: 'read', page })
        // A database file answers at once, each time: without a turn in between no key would be heard meanwhile.
        await new Promise(setImmediate)
      }
      dispatch({ type: 'complete' })
    }
    read().catch((error) => dispatch({ type: 'unreadable', notice: sentencesOf(error).join(' ') }))
  }, [pages, dispatch])

  async function removeAsked() {
    const ids = latest.current.asked
    setProgress(0)
    dispatch({ type: 'mode', mode: 'deleting' })
    try {
      const deletion = await remove(ids, (done) => setProgress(done / ids.length))
      if (purpose === 'delete') return onDone()
      const { deleted, notFound, failure } = deletion
      const sentences = [deletionResult(deletion), ...(failure === undefined ? [] : sentencesOf(failure))]
      dispatch({ type: 'deleted', ids: [...deleted, ...notFound], notice: sentences.join(' ') })
    } catch (error) {
      dispatch({ type: 'failed', notice: sentencesOf(error).join(' ') })
    }
  }

  useResponsesKeys(() => ({
    state: latest.current,
    shown: shownOf(latest.current),
    height,
    dispatch,
    onDelete: removeAsked,
    onQuit: onDone,
  }))

  return (
    <Box flexDirection="column" width={columns} height={rows - 1}>
      <ResponsesTitle state={state} shown={shown} purpose={purpose} />
      <Box flexDirection="column" flexGrow={1}>
        {mode === 'response' && current !== undefined ? (
          <ScrollView key={current.id} height={height}>
            <LabelledTexts texts={detailsOf(current)} />
          </ScrollView>
        ) : shown.length === 0 ? (
          <Nothing state={state} filtered={filtered} />
        ) : (
          <Table
            columns={responseColumns(state.selected)}
            rows={shown}
            keyOf={({ id }) => id}
            width={columns}
            height={height}
            cursor={state.cursor}
          />
        )}
      </Box>
      <ResponsesFooter state={state} shown={shown} progress={progress} />
    </Box>
  )
}

function Nothing({ state: { complete, search, notice }, filtered }: { state: ResponsesState; filtered: boolean }) {
  if (notice !== '') return <Text> </Text>
  if (!complete) return <Text>Loading responses...</Text>
  if (search !== '') return <Text>No response holds these words. Press / to search for others.</Text>
  if (filtered) return <Text>No response fits what was asked for. `rsvp list` alone shows all.</Text>
  return <Text>Nobody has answered yet. `rsvp share` shows the link for everybody.</Text>
}
