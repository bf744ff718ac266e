import { sql } from 'drizzle-orm'
import { allowances } from '#db/access/table.ts'
import { db, preparedStatement } from '#db/storage/client.ts'
import { DISORDER_MAXIMUM_MS, type Level, latestFull } from './allowance.ts'

const level = (field: string) => sql`level.value ->> ${sql.raw(`'${field}'`)}`

/**
 * Begins a statement with what several callers who come together get of their allowances: the places of those `refused` and
 * of those `marked`. An allowance with too few for all who ask for it refuses all of them; each then has to ask for itself,
 * with `takeFromEach`. One that `onlyMarks` gives what is left to those who came first, and marks the others.
 */
export const withJudgment = sql`WITH
  asked AS MATERIALIZED (
    SELECT ${level('name')} AS name, ${level('everyMs')} AS every_ms, ${level('onlyMarks')} AS only_marks,
      ${level('callers')} AS callers, ${level('latest')} AS latest,
      iif(${allowances.fullAt} > ${level('latest')} + ${DISORDER_MAXIMUM_MS}, ${level('moment')}, max(coalesce(${allowances.fullAt}, 0), ${level('moment')})) AS start
    FROM json_each(${sql.placeholder('levels')}) AS level LEFT JOIN ${allowances} ON ${allowances.name} = ${level('name')}
  ),
  short AS MATERIALIZED (
    SELECT callers, only_marks, max((latest - start) / every_ms, 0) AS remaining FROM asked
    WHERE start + every_ms * json_array_length(callers) > latest
  ),
  refused AS (SELECT caller.value AS place FROM short JOIN json_each(short.callers) AS caller WHERE NOT only_marks),
  marked AS (
    SELECT place FROM (
      SELECT caller.value AS place, remaining, row_number() OVER (ORDER BY caller.key) AS number
      FROM short JOIN json_each(short.callers) AS caller
      WHERE only_marks AND caller.value NOT IN (SELECT place FROM refused)
    ) WHERE number > remaining
  )`

/** Who is refused and who is marked: as long as nothing was taken. */
export const selectJudgment = preparedStatement(
  db
    .select({ place: sql`place`, marks: sql`marks` })
    .from(sql`(${withJudgment} SELECT place, 0 AS marks FROM refused UNION ALL SELECT place, 1 FROM marked)`),
)

/** Takes one from each allowance for each caller who is neither refused nor, where it only marks, marked. */
export const takeForAll = preparedStatement(
  db
    .insert(allowances)
    .select(
      sql`${withJudgment}
        SELECT name, start + every_ms * count(*) FROM asked JOIN json_each(asked.callers) AS caller
        WHERE caller.value NOT IN (SELECT place FROM refused)
        AND NOT (only_marks AND caller.value IN (SELECT place FROM marked)) GROUP BY name`,
    )
    .onConflictDoUpdate({ target: allowances.name, set: { fullAt: sql`excluded.full_at` } }),
)

/**
 * Every allowance that is asked for, with the places of those who ask, as the statements above read it. They all count
 * at the moment of the first of them.
 */
export function levelsOfAll(callers: { levels: Level[]; now: number }[]): string {
  const asked = new Map<string, { level: Level; places: number[] }>()
  let moment = Number.POSITIVE_INFINITY
  callers.forEach(({ levels, now }, place) => {
    if (levels.length > 0) moment = Math.min(moment, now)
    for (const level of levels) {
      const known = asked.get(level.name)
      if (known === undefined) asked.set(level.name, { level, places: [place] })
      else known.places.push(place)
    }
  })
  return JSON.stringify(
    Array.from(asked.values(), ({ level, places }) => {
      const { name, allowance, onlyMarks = false } = level
      return { name, everyMs: allowance.everyMs, latest: latestFull(level, moment), moment, onlyMarks, callers: places }
    }),
  )
}
