import { Box, renderToString, Text } from 'ink'
import type { Statistics as Counted } from '#db/rsvp/counts.ts'
import { supersededText } from '#db/rsvp/fields.ts'
import { dayText } from '#db/values/dates.ts'
import { displayed } from '../output/plain-text.ts'

type Props = {
  statistics: Counted
  week: string | undefined
  /** Null if no one was counted; undefined for all weeks together. */
  turnout: number | null | undefined
  width: number
}

const LABEL_WIDTH = 24
const COUNT_WIDTH = 5
const LONGEST_BAR = 30

export function renderStatistics(props: Props): string {
  return `${renderToString(<Statistics {...props} />, { columns: props.width })}\n`
}

type Bar = { label: string; count: number; color?: string }

/** `width` is that of the terminal. */
function Bars({ title, bars, width }: { title: string; bars: Bar[]; width: number }) {
  const longest = Math.max(1, Math.min(LONGEST_BAR, width - LABEL_WIDTH - COUNT_WIDTH - 2))
  const largest = Math.max(1, ...bars.map(({ count }) => count))
  return (
    <Box flexDirection="column">
      <Text bold>{title}</Text>
      {bars.map(({ label, count, color = 'cyan' }) => (
        <Box key={label} gap={1}>
          <Box width={LABEL_WIDTH} flexShrink={0}>
            <Text wrap="truncate-end">{label}</Text>
          </Box>
          <Box flexShrink={0}>
            <Text>{String(count).padStart(COUNT_WIDTH)}</Text>
          </Box>
          <Text color={color} wrap="truncate-end">
            {'█'.repeat(Math.ceil((count * longest) / largest))}
          </Text>
        </Box>
      ))}
    </Box>
  )
}

function Statistics({ statistics, week, turnout, width }: Props) {
  const { responses, people, superseded, services, roles } = statistics
  return (
    <Box flexDirection="column" gap={1}>
      {week !== undefined && <Text>For {dayText(week)}</Text>}
      <Bars
        width={width}
        title={`Responses: ${responses.attending + responses.notAttending}`}
        bars={[
          { label: '✓ Attending', count: responses.attending, color: 'green' },
          { label: '✗ Not Attending', count: responses.notAttending, color: 'red' },
        ]}
      />
      {superseded > 0 && <Text>{supersededText(superseded)}</Text>}
      <Bars
        width={width}
        title={[
          `People expected: ${people.expected}`,
          ...(turnout == null ? [] : [`who came: ${turnout}`]),
          ...(services > 1 ? [`${services} services together`] : []),
        ].join(', ')}
        bars={[
          { label: 'Adults', count: people.adults },
          { label: 'Teens', count: people.teens },
          { label: 'Children', count: people.children },
          { label: 'Age not said', count: people.notSaid },
        ]}
      />
      <Bars
        width={width}
        title="Offers to serve"
        bars={roles.map(({ name, retired, offers }) => ({
          label: displayed(retired ? `${name} (retired)` : name),
          count: offers,
        }))}
      />
    </Box>
  )
}
