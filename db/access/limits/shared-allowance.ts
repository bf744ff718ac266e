import { lte, sql } from 'drizzle-orm'
import { allowances } from '#db/access/table.ts'
import { db, preparedStatement } from '#db/storage/client.ts'
import type { Statement } from '#db/storage/connection.ts'
import { DISORDER_MAXIMUM_MS, type Level, latestFull } from './allowance.ts'

const level = (field: string) => sql`level.value ->> ${sql.raw(`'${field}'`)}`

/** Every allowance that is asked for, with the moment from which it fills up and the moment until which it may. */
const asked = sql`SELECT ${level('name')} AS name, ${level('increase')} AS increase, ${level('latest')} AS latest,
    iif(${allowances.fullAt} > ${level('latest')} + ${DISORDER_MAXIMUM_MS}, ${level('moment')}, max(coalesce(${allowances.fullAt}, 0), ${level('moment')})) AS start
  FROM json_each(${sql.placeholder('levels')}) AS level LEFT JOIN ${allowances} ON ${allowances.name} = ${level('name')}`

const forgetFull = preparedStatement(db.delete(allowances).where(lte(allowances.fullAt, sql.placeholder('moment'))))
const takeAll = preparedStatement(
  db
    .insert(allowances)
    .select(
      sql`WITH asked AS (${asked}) SELECT name, start + increase FROM asked
        WHERE NOT EXISTS (SELECT 1 FROM asked WHERE start + increase > latest)`,
    )
    .onConflictDoUpdate({ target: allowances.name, set: { fullAt: sql`excluded.full_at` } })
    .returning({ name: allowances.name }),
)

/**
 * The statements that take one for each of several callers from each of their allowances, or none at all where one of the
 * allowances has too few for all who ask: then each caller has to ask for itself, with `takeFromEach`. `changes()` after
 * them tells which, and so do the rows that the last one returns.
 */
export function takeForAll(callers: { levels: Level[]; now: number }[]): Statement[] {
  const moment = Math.min(...callers.map(({ now }) => now))
  const increases = new Map<string, { latest: number; increase: number }>()
  for (const each of callers.flatMap(({ levels }) => levels)) {
    const { allowance, name } = each
    const increase = (increases.get(name)?.increase ?? 0) + allowance.everyMs
    increases.set(name, { increase, latest: latestFull(each, moment) })
  }
  const levels = JSON.stringify(Array.from(increases, ([name, rest]) => ({ name, moment, ...rest })))
  return [forgetFull({ moment }), takeAll({ levels })]
}
