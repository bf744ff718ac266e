import { shownTimeZone } from '#db/schedule/read-schedule.ts'
import { endStandings, keepStanding, listStanding } from '#db/standing/operations.ts'
import type { StandingHousehold } from '#db/standing/schema.ts'
import { formatDay } from '#db/values/dates.ts'
import type { Context } from '../context.ts'
import { idsOf } from '../given.ts'
import { printJson, printTable, say } from '../output/output.ts'
import { displayed } from '../output/plain-text.ts'
import type { Column } from '../ui/Table.tsx'

export async function listHouseholds({ json }: { json?: true }, { call, io }: Context): Promise<void> {
  const things = await listStanding(call)
  const zone = await shownTimeZone()
  const cells = ({ id, name, email, phone, since, seenAt, endsAt }: StandingHousehold) => [
    ...[id, name, email, phone ?? ''],
    ...[since, seenAt, endsAt],
  ]
  const nameOf = ({ name, sentAgain }: StandingHousehold) => `${displayed(name)}${sentAgain ? ' (sent again)' : ''}`
  const columns: Column<StandingHousehold>[] = [
    { title: 'Id', text: ({ id }) => String(id), least: 4, grow: 0 },
    { title: 'Name', text: nameOf, least: 16, grow: 3 },
    { title: 'Since', text: ({ since }) => since, least: 10, grow: 0 },
    { title: 'Last sign', text: ({ seenAt }) => formatDay(seenAt, zone), least: 12, grow: 0 },
    { title: 'Ends', text: ({ endsAt }) => formatDay(endsAt, zone), least: 12, grow: 0 },
    { title: 'Email', text: ({ email }) => displayed(email), least: 18, grow: 2 },
    { title: 'Phone', text: ({ phone }) => displayed(phone ?? ''), least: 12, grow: 0 },
  ]
  await printTable(json, { things, cells, columns }, io)
}

export async function endHouseholds(
  words: string[],
  { json }: { json?: true },
  { call, quiet, io }: Context,
): Promise<void> {
  const ids = idsOf(words)
  await endStandings({ ids }, call)
  const isOne = ids.length === 1
  if (json) return printJson({ ended: ids }, io)
  const who = isOne ? `Number ${ids[0]} no longer comes` : `Numbers ${ids.join(', ')} no longer come`
  if (!quiet) say(`${who} every week. What ${isOne ? 'it' : 'they'} said for services that are over stays.`, io)
}

export async function keepHousehold(
  id: string,
  { json }: { json?: true },
  { call, quiet, io }: Context,
): Promise<void> {
  await keepStanding({ id }, call)
  if (json) return printJson({ kept: Number(id) }, io)
  if (!quiet) say(`Number ${id} still comes every week.`, io)
}
