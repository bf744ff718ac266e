import { Box, Text, useWindowSize } from 'ink'
import { useEffect, useMemo, useReducer, useState } from 'react'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import type { Deletion } from '../delete-responses.ts'
import { deletionResult } from '../deletion-texts.ts'
import { sentencesOf } from '../exit-code.ts'
import { detailsOf } from '../response-details.ts'
import { LabelledTexts } from '../ui/LabelledTexts.tsx'
import { ScrollView } from '../ui/ScrollView.tsx'
import { Table } from '../ui/Table.tsx'
import { ResponsesFooter } from './ResponsesFooter.tsx'
import { ResponsesTitle } from './ResponsesTitle.tsx'
import { responseColumns } from './response-columns.ts'
import { nothingRead, type ResponsesState, responsesReducer, shownResponses, targetsOf } from './responses-state.ts'
import { useResponsesKeys } from './use-responses-keys.ts'

export type ResponsesScreenProps = {
  pages: AsyncIterable<StoredRsvp[]>
  /** To look around, or to choose what to delete and then be done. */
  purpose: 'look' | 'delete'
  remove: (ids: number[], report: (done: number) => void) => Promise<Deletion>
  /** With what was deleted, or without when somebody just quits. */
  onDone: (deletion?: Deletion) => void
}

/** Title, head of the table and footer with the lines between them, and the terminal's last line, which stays free. */
const OTHER_LINES = 7

/** The responses in a table: search, sort, read, select, delete. */
export function ResponsesScreen({ pages, purpose, remove, onDone }: ResponsesScreenProps) {
  const { columns, rows } = useWindowSize()
  const [state, dispatch] = useReducer(responsesReducer, nothingRead)
  const [progress, setProgress] = useState(0)
  const { responses, search, sorting, mode } = state
  // Without the cursor in it: moving must not sort a hundred thousand names again.
  const shown = useMemo(() => shownResponses({ responses, search, sorting }), [responses, search, sorting])
  const height = Math.max(1, rows - OTHER_LINES)
  const current = shown[state.cursor]

  useEffect(() => {
    async function read() {
      for await (const page of pages) dispatch({ type: 'read', page })
      dispatch({ type: 'complete' })
    }
    read().catch((error) => dispatch({ type: 'failed', notice: sentencesOf(error).join(' ') }))
  }, [pages])

  async function removeTargets() {
    const ids = targetsOf(state, shown)
    setProgress(0)
    dispatch({ type: 'mode', mode: 'deleting' })
    try {
      const deletion = await remove(ids, (done) => setProgress(done / ids.length))
      if (purpose === 'delete') return onDone(deletion)
      const { deleted, notFound } = deletion
      dispatch({ type: 'deleted', ids: [...deleted, ...notFound], notice: deletionResult(deletion) })
    } catch (error) {
      dispatch({ type: 'failed', notice: sentencesOf(error).join(' ') })
    }
  }

  useResponsesKeys({ state, shown, height, dispatch, onDelete: removeTargets, onQuit: () => onDone() })

  return (
    <Box flexDirection="column" width={columns} height={rows - 1}>
      <ResponsesTitle state={state} shown={shown} purpose={purpose} />
      <Box flexDirection="column" flexGrow={1}>
        {mode === 'response' && current !== undefined ? (
          <ScrollView height={height}>
            <LabelledTexts texts={detailsOf(current)} />
          </ScrollView>
        ) : shown.length === 0 ? (
          <Nothing state={state} />
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
      <ResponsesFooter state={state} count={targetsOf(state, shown).length} progress={progress} />
    </Box>
  )
}

function Nothing({ state: { complete, search } }: { state: ResponsesState }) {
  if (!complete) return <Text>Loading responses...</Text>
  if (search !== '') return <Text>No response holds these words. Press / to search for others.</Text>
  return <Text>Nobody has answered yet. `rsvp share` shows the link for everybody.</Text>
}
