import type { Statement } from './connection.ts'
import type { Job } from './line.ts'

/**
 * The waiting reads, grouped by what they read: one result does for all that wait for the same, because it is read after
 * each of them asked. In the order in which the first of each group came.
 */
export function identicalReads(waiting: Job<Statement>[]): Job<Statement>[][] {
  const groups: Job<Statement>[][] = []
  const bySql = new Map<string, Job<Statement>[][]>()
  for (const job of waiting) {
    const alike = bySql.get(job.input.sql) ?? []
    const same = alike.find(([first]) => first !== undefined && areEqual(first.input.args, job.input.args))
    if (same !== undefined) {
      same.push(job)
      continue
    }
    const group = [job]
    groups.push(group)
    alike.push(group)
    bySql.set(job.input.sql, alike)
  }
  return groups
}

function areEqual(args: Statement['args'], others: Statement['args']): boolean {
  if (!Array.isArray(args) || !Array.isArray(others)) return false
  return args.length === others.length && args.every((value, place) => Object.is(value, others[place]))
}
