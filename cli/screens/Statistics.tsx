import { Box, renderToString, Text } from 'ink'
import type { Statistics as Counted } from '#db/rsvp/counts.ts'
import { supersededText } from '#db/rsvp/texts.ts'
import { dayText } from '#db/values/dates.ts'
import { displayed } from '../output/plain-text.ts'
import { Bars } from '../ui/Bars.tsx'

type Props = {
  statistics: Counted
  week: string | undefined
  /** Of one week, where it was counted. */
  turnout: number | null | undefined
  width: number
}

/** The counts as bars: responses, people by age group, offers by role. */
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

/** The same as text, as wide as the terminal. */
export function renderStatistics(props: Props): string {
  const columns = props.width
  return `${renderToString(<Statistics {...props} />, { columns })}\n`
}
