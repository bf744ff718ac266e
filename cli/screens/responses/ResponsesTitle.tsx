import { Box, Text } from 'ink'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import type { ResponsesState } from './responses-model.ts'

/** What is shown, how many will attend, and in which order. */
export function ResponsesTitle(props: { state: ResponsesState; shown: StoredRsvp[]; purpose: 'look' | 'delete' }) {
  const { state, shown, purpose } = props
  const attending = shown.filter((response) => response.attending).length
  return (
    <Box marginBottom={1} flexShrink={0}>
      <Text wrap="truncate-end">
        <Text bold>{purpose === 'look' ? 'RSVP Responses' : 'Choose what to delete'}</Text>
        {`  Attending ${attending}, Not Attending ${shown.length - attending}${state.complete ? '' : ', reading more…'}  `}
        <Text dimColor>by {state.sorting}</Text>
      </Text>
    </Box>
  )
}
