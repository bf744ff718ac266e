import { millisecondsInDay, millisecondsInHour } from 'date-fns/constants'
import { and, desc, eq, gt } from 'drizzle-orm'
import { takeFromEach } from '#db/access/allowance.ts'
import { audit } from '#db/audit/operations.ts'
import { auditEntries } from '#db/audit/table.ts'
import { type Call, operationWithoutInput } from '#db/operation.ts'
import { db, type Transaction } from '#db/storage/client.ts'

/** How long a flood is reported to administrators. */
const REPORTED_FOR_MS = millisecondsInDay

/** The kinds of flood, which are their subjects in the audit log, and what an administrator reads of them. */
const floods = {
  rsvps: {
    what: 'responses',
    todo: 'They are stored and marked: check them before you rely on the numbers',
  },
  passwords: {
    what: 'attempts to sign in',
    todo: 'That delays no one who knows the password. A longer password makes guessing hopeless',
  },
}
/** `at` is when it was noticed last, as ISO 8601 in UTC. */
export type Flood = { kind: keyof typeof floods; at: string }

/** Records a flood in the audit log: more than people can send, from all networks together. Once an hour while it lasts. */
export async function noteFlood(tx: Transaction, kind: Flood['kind'], call: Call): Promise<void> {
  const hourly = { name: `flood of ${kind}`, allowance: { atOnce: 1, everyMs: millisecondsInHour } }
  if ((await takeFromEach(tx, [hourly], call.now)) !== undefined) return
  await audit(tx, { ...call, actor: 'site' }, 'flood noticed', kind)
}

/** The latest flood of each kind, where there was one within the last day. */
export const listFloods = operationWithoutInput(async ({ now }): Promise<Flood[]> => {
  const since = new Date(now.getTime() - REPORTED_FOR_MS).toISOString()
  const noticed = await db
    .select({ at: auditEntries.at, subject: auditEntries.subject })
    .from(auditEntries)
    .where(and(eq(auditEntries.action, 'flood noticed'), gt(auditEntries.at, since)))
    .orderBy(desc(auditEntries.id))
  return (['rsvps', 'passwords'] as const).flatMap((kind) => {
    const latest = noticed.find(({ subject }) => subject === kind)
    return latest === undefined ? [] : [{ kind, at: latest.at }]
  })
})

export function floodText(kind: Flood['kind'], when: string): string {
  const { what, todo } = floods[kind]
  return `There is a flood of ${what} from many networks, last noticed ${when}. ${todo}.`
}
