import { Box, renderToString, Text } from 'ink'
import type { ReactNode } from 'react'
import { recordAct } from '#db/audit.ts'
import { getEvent } from '#db/event.ts'
import { type FilledRole, getSheet, type Sheet as PrintedSheet } from '#db/rsvp/sheet.ts'
import { dayText } from '#db/values/dates.ts'
import { defaultEvent } from '#db/values/default-event.ts'
import { toPayload } from '#db/values/event-payload.ts'
import { timesText } from '#db/values/services.ts'
import type { Declare } from '../command.ts'
import { usageError } from '../errors.ts'
import { examples } from '../options.ts'
import { isDrawnOn, print, printJson } from '../output.ts'
import { displayed, displayedLines } from '../plain-text.ts'
import { dateOfWeek } from '../selection.ts'
import { LabelledText } from '../ui/LabelledText.tsx'

type Props = { sheet: PrintedSheet; title: string; width: number }

/** The width of a sheet that is not for a terminal, in characters: mail programs and printers wrap longer lines. */
const WIDTH = 80
const LABEL_WIDTH = 24

export const declare: Declare = (command, run) => {
  command
    .description(
      'Prints for one service how many people are expected, who they are by family name with a box to tick, who fills ' +
        'which role and how many are missing, and separately the messages and prayer requests. It is plain text, for a ' +
        'mail program or a printer, also from cron.',
    )
    .option('--week <week>', 'for which service: this, next, last or its date', 'this')
    .option('--without-messages', 'leave out messages and prayer requests')
    .option('--json', 'print a JSON object')
    .addHelpText('after', examples('rsvp sheet --week next', 'rsvp sheet --without-messages | lp'))
    .action(
      run('database', async ({ week, withoutMessages, json }, context) => {
        const { call, io } = context
        const day = await dateOfWeek(week, context)
        if (day === undefined) throw usageError('A sheet is for one service: say --week this or next.')
        const stored = await getSheet({ week: day }, call)
        await recordAct({ action: 'responses printed', subject: day }, call)
        const sheet = withoutMessages ? { ...stored, messages: [] } : stored
        if (json) return printJson(sheet, io)
        const { title } = (await getEvent()) ?? toPayload(defaultEvent)
        const width = isDrawnOn(io.stdout, io.env) ? io.stdout.columns : WIDTH
        const drawn = renderToString(<Sheet sheet={sheet} title={title} width={width} />, { columns: width })
        await print(`${drawn}\n`, io)
      }),
    )
}

function Sheet({ sheet, title, width }: Props) {
  const { service, households, roles, messages } = sheet
  const labelWidth = Math.min(LABEL_WIDTH, Math.floor(width * 0.4))
  const labelled = (id: number, label: string, text: string) => (
    <LabelledText key={id} label={label} text={text} width={labelWidth} gap={2} isLabelDim={false} />
  )
  return (
    <Box flexDirection="column" gap={1}>
      <Box flexDirection="column">
        <Text>{displayed(title)}</Text>
        <Text>{`${dayText(service.date)}, ${timesText(service)}`}</Text>
        {service.skipped && <Text>This service is skipped.</Text>}
      </Box>
      <Counts {...sheet} />
      {households.length > 0 && (
        <Part title="By family name">
          {households.map(({ id, familyName, firstVisit, people }) => {
            const names = people.map(({ name, age }) => `[ ] ${displayed(name)}${age === null ? '' : ` (${age})`}`)
            return labelled(id, `${firstVisit ? '★ ' : ''}${displayed(familyName)}`, names.join('\n'))
          })}
          {households.some(({ firstVisit }) => firstVisit) && <Text>★ first visit</Text>}
        </Part>
      )}
      {roles.length > 0 && (
        <Part title="Roles">{roles.map((role) => labelled(role.id, displayed(role.name), roleText(role)))}</Part>
      )}
      {messages.length > 0 && (
        <Part title="Messages and prayer requests">
          {messages.map(({ id, name, attending, message }) =>
            labelled(id, displayed(name), `${attending ? '' : '(cannot come) '}${displayedLines(message)}`),
          )}
        </Part>
      )}
    </Box>
  )
}

function Counts({ people, counted, superseded }: PrintedSheet) {
  if (counted.attending + counted.notAttending === 0) return <Text>No responses for this service yet.</Text>
  const counts: [string, number][] = [
    ['People expected', people.expected],
    ['Adults', people.adults],
    ['Teens', people.teens],
    ['Children', people.children],
    ['Age not said', people.notSaid],
    ['Not Attending', counted.notAttending],
  ]
  const lines = counts.map(([label, count]) => `${label.padEnd(LABEL_WIDTH)}${String(count).padStart(5)}`)
  if (superseded === 1) lines.push('1 response was sent again; the newest counts.')
  if (superseded > 1) lines.push(`${superseded} responses were sent again; the newest of each counts.`)
  return <Text>{lines.join('\n')}</Text>
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box flexDirection="column">
      <Text>{title}</Text>
      <Text>{'-'.repeat(title.length)}</Text>
      {children}
    </Box>
  )
}

function roleText({ people, needed, missing }: FilledRole): string {
  const names = people.map(displayed).join(', ')
  const state = missing > 0 ? `${missing} of ${needed} missing` : 'filled'
  return [names, needed === null ? '' : state].filter(Boolean).join('; ') || 'none yet'
}
