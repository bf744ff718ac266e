import { Box, Text } from 'ink'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { dayText } from '#db/values/dates.ts'
import type { ResponsesState } from './responses-model.ts'

type Props = { state: ResponsesState; shown: StoredRsvp[]; purpose: 'look' | 'delete'; week: string | undefined }

/** What is shown, how many will attend, in which order, and for which service if not for all. */
export function ResponsesTitle({ state, shown, purpose, week }: Props) {
  const attending = shown.filter((response) => response.attending).length
  return (
    <Box flexDirection="column" marginBottom={1} flexShrink={0}>
      <Text wrap="truncate-end">
        <Text bold>{purpose === 'look' ? 'RSVP Responses' : 'Choose what to delete'}</Text>
        {`  Attending ${attending}, Not Attending ${shown.length - attending}${state.complete ? '' : ', reading more…'}  `}
        <Text dimColor>by {state.sorting}</Text>
      </Text>
      {week !== undefined && <Text wrap="truncate-end">For {dayText(week)}</Text>}
    </Box>
  )
}
