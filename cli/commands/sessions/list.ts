import { listSessions, type Session } from '#db/access/operations.ts'
import { shownTimeZone } from '#db/schedule/read-schedule.ts'
import { formatMoment } from '#db/values/dates.ts'
import type { Context } from '../../context.ts'
import { printOutput } from '../../output/output.ts'
import type { Column } from '../../ui/fit-columns.ts'

/** Shows who is signed in. */
export async function run(options: { json?: true }, { call, io }: Context): Promise<void> {
  const sessions = await listSessions(call)
  const screen = async (width: number) => {
    const { renderTable } = await import('../../ui/render-table.tsx')
    return renderTable(sessions, ({ id }) => id, columnsIn(await shownTimeZone()), width)
  }
  return printOutput(options.json, { value: sessions, rows: sessions.map(rowOf), screen }, io)
}

function rowOf({ id, createdAt, usedAt, endsAt }: Session): (string | number)[] {
  return [id, createdAt, usedAt, endsAt]
}

function columnsIn(zone: string): Column<Session>[] {
  return [
    { title: 'Id', text: ({ id }) => String(id), least: 4, grow: 0 },
    { title: 'Signed in', text: ({ createdAt }) => formatMoment(createdAt, zone), least: 22, grow: 1 },
    { title: 'Last used', text: ({ usedAt }) => formatMoment(usedAt, zone), least: 22, grow: 1 },
    { title: 'Ends', text: ({ endsAt }) => formatMoment(endsAt, zone), least: 22, grow: 1 },
  ]
}
