import { Box, Text } from 'ink'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import type { ResponsesState } from './responses-state.ts'

/** What is shown, how many of them come, and in which order. */
export function ResponsesTitle(props: { state: ResponsesState; shown: StoredRsvp[]; purpose: 'look' | 'delete' }) {
  const { state, shown, purpose } = props
  const attending = shown.filter((response) => response.attending).length
  return (
    <Box gap={2} marginBottom={1}>
      <Text bold>{purpose === 'look' ? 'RSVP Responses' : 'Choose what to delete'}</Text>
      <Text wrap="truncate-end">
        Attending {attending}, Not Attending {shown.length - attending}
        {state.complete ? '' : ', reading more…'}
      </Text>
      <Text dimColor wrap="truncate-end">
        by {state.sorting}
      </Text>
    </Box>
  )
}
