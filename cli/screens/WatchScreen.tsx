import { Box, Text, useWindowSize } from 'ink'
import { useEffect, useState } from 'react'
import type { StoredRsvp } from '#db/rsvp/schema.ts'
import { dayText } from '#db/values/dates.ts'
import { sentencesOf } from '../exit-code.ts'
import { KeyHints } from '../ui/KeyHints.tsx'
import { Table } from '../ui/Table.tsx'
import { useKeys } from '../ui/use-keys.ts'
import { responseColumns } from './responses/response-columns.ts'

/** Title, table header, failure and keys with the lines between them, and the last line, which stays empty. */
const OTHER_LINES = 10

type WatchScreenProps = {
  responses: AsyncIterable<StoredRsvp>
  week?: string | undefined
  /** The time zone of the moments that are shown. */
  zone: string
  onQuit: () => void
}

/** Responses as they come in, the newest on top, until the user quits. */
export function WatchScreen(props: WatchScreenProps) {
  const { responses, week, zone, onQuit } = props
  const { columns, rows } = useWindowSize()
  const [seen, setSeen] = useState<StoredRsvp[]>([])
  const [failure, setFailure] = useState('')

  useEffect(() => {
    async function follow() {
      for await (const response of responses) setSeen((before) => [response, ...before])
    }
    follow().catch((error) => setFailure(sentencesOf(error).join(' ')))
  }, [responses])

  useKeys(({ key }) => {
    if (key === 'q' || key === 'escape') onQuit()
  })

  const attending = seen.filter((response) => response.attending).length
  return (
    <Box flexDirection="column" gap={1} height={rows - 1}>
      <Box flexDirection="column">
        <Text wrap="truncate-end">
          <Text bold>Responses as they come in</Text>
          {`  ${seen.length} so far: ${attending} attending, ${seen.length - attending} not attending`}
        </Text>
        {week !== undefined && <Text wrap="truncate-end">For {dayText(week)}</Text>}
      </Box>
      {seen.length === 0 && failure === '' && <Text dimColor>Waiting for the first one…</Text>}
      {seen.length > 0 && (
        <Table
          columns={responseColumns(zone)}
          rows={seen}
          keyOf={({ id }) => id}
          width={columns}
          height={Math.max(1, rows - OTHER_LINES - (week === undefined ? 0 : 1))}
        />
      )}
      {failure !== '' && (
        <Text color="red" wrap="truncate-end">
          {failure}
        </Text>
      )}
      <KeyHints keys={{ q: 'quit' }} />
    </Box>
  )
}
