import { vi } from 'vitest'
import type { Statement } from './connection.ts'

export const statement = (sql: string): Statement => ({ sql, args: [] })

export function failure(code: string): Error {
  return Object.assign(new Error(code), { code })
}

/** Records what reaches it: a real driver cannot produce locks and full disks on demand. */
export function fakeDriver(write: (sqls: string[]) => void = () => {}) {
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
    write: async (statements: Statement[]) => {
      const sqls = statements.map(({ sql }) => sql)
      groups.push(sqls)
      write(sqls)
      return sqls.map(result)
    },
  }
}
