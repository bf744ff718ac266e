import { type AuditEntry, listAudit } from '#db/audit/operations.ts'
import { shownTimeZone } from '#db/schedule/read-schedule.ts'
import { formatMoment } from '#db/values/dates.ts'
import type { Context } from '../context.ts'
import { printOutput } from '../output/output.ts'
import { displayed } from '../output/plain-text.ts'
import type { Column } from '../ui/fit-columns.ts'

/** Shows what administrators did. */
export async function run(options: { limit?: number; json?: true }, { call, io }: Context): Promise<void> {
  const entries = await listAudit({ limit: options.limit }, call)
  const screen = async (width: number) => {
    const { renderTable } = await import('../ui/render-table.tsx')
    return renderTable(entries, ({ id }) => id, columnsIn(await shownTimeZone()), width)
  }
  return printOutput(options.json, { value: entries, rows: entries.map(rowOf), screen }, io)
}

function rowOf({ at, actor, action, subject }: AuditEntry): string[] {
  return [at, actor, action, subject]
}

function columnsIn(zone: string): Column<AuditEntry>[] {
  return [
    { title: 'When', text: ({ at }) => formatMoment(at, zone), least: 22, grow: 0 },
    { title: 'Who', text: ({ actor }) => displayed(actor), least: 12, grow: 0, spare: true },
    { title: 'What', text: ({ action }) => action, least: 16, grow: 1 },
    { title: 'Of', text: ({ subject }) => displayed(subject), least: 10, grow: 2 },
  ]
}
