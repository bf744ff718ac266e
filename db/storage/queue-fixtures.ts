import { vi } from 'vitest'
import type { Execute, Statement, Work } from './connection.ts'

export const statement = (sql: string): Statement => ({ sql, args: [] })

export const writing =
  (...sqls: string[]) =>
  (execute: Execute) =>
    execute(sqls.map(statement))

export function failure(code: string): Error {
  return Object.assign(new Error(code), { code })
}

/** Records what reaches it: a real driver cannot produce locks and full disks on demand. */
export function fakeDriver(commit: (sqls: string[]) => void = () => {}) {
  const groups: string[][] = []
  const result = (sql: string) => ({
    rows: [],
    toJSON: () => sql,
  })
  return {
    groups,
    reconnect: vi.fn(),
    close: vi.fn(),
    read: async ({ sql }: Statement) => result(sql),
    commitTogether: async (works: Work<unknown>[]) => {
      const sqls: string[] = []
      const outcomes = []
      for (const work of works) {
        const execute = async (statements: Statement[]) => {
          sqls.push(...statements.map(({ sql }) => sql))
          return statements.map(({ sql }) => result(sql))
        }
        outcomes.push(
          await work(execute).then(
            (value) => ({ value }),
            (reason) => ({ reason }),
          ),
        )
      }
      groups.push(sqls)
      commit(sqls)
      return outcomes
    },
  }
}
