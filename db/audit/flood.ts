import { and, desc, eq, gt } from 'drizzle-orm'
import * as z from 'zod/mini'
import { takeFrom } from '#db/access/limits/allowance.ts'
import { operation, operationWithoutInput } from '#db/operation.ts'
import { db } from '#db/storage/client.ts'
import { recordAct } from './operations.ts'
import { auditEntries } from './table.ts'

const HOUR = 60 * 60 * 1000
/** For so long after it somebody has to be told, in ms. */
const TOLD_FOR = 24 * HOUR

/** What can come in such numbers. */
const kinds = ['answers', 'passwords'] as const
/** `at` is when it was noticed last, as ISO 8601 in UTC. */
export type Flood = { of: (typeof kinds)[number]; at: string }

/** Writes down that more come from everywhere than can be people; once an hour, as long as it lasts. */
export const noteFlood = operation(z.object({ of: z.enum(kinds) }), async ({ of }, call): Promise<void> => {
  if ((await takeFrom(`flood of ${of}`, { atOnce: 1, everyMs: HOUR }, call.now)) > 0) return
  await recordAct({ action: 'flood noticed', subject: of }, { ...call, actor: 'site' })
})

/** The latest flood of each kind, where there was one within the last day. */
export const listFloods = operationWithoutInput(async ({ now }): Promise<Flood[]> => {
  const since = new Date(now.getTime() - TOLD_FOR).toISOString()
  const noticed = await db
    .select({ at: auditEntries.at, of: auditEntries.subject })
    .from(auditEntries)
    .where(and(eq(auditEntries.action, 'flood noticed'), gt(auditEntries.at, since)))
    .orderBy(desc(auditEntries.id))
  return kinds.flatMap((of) => {
    const latest = noticed.find((entry) => entry.of === of)
    return latest === undefined ? [] : [{ of, at: latest.at }]
  })
})

const whatToDo = {
  answers: 'They are stored and marked: look at them before you count on them',
  passwords: 'Nobody who knows the password is kept waiting for that. A longer one makes guessing hopeless',
}

/** What to tell an administrator of it. */
export function floodText(kind: Flood['of'], when: string): string {
  const what = kind === 'answers' ? 'answers' : 'tries to sign in'
  return `Very many ${what} came from everywhere, last noticed ${when}. ${whatToDo[kind]}.`
}
