import { describe, expect, it, vi } from 'vitest'
import { openedDatabase, setConnection } from '#db/storage/client.ts'
import { UserError } from '#db/values/errors.ts'
import { openForTests } from '#testing/database-fixtures.ts'
import { log } from './log.ts'
import { keepMaintained, keepStandingWritten } from './maintenance.ts'

describe('an outage of the database', () => {
  openForTests()

  it.each([
    ['stamping and writing what is due', keepStandingWritten],
    ['the hourly maintenance', (signal: AbortSignal) => keepMaintained({} as never, signal)],
  ])('during %s is no bug', async (_, keep) => {
    const whole = openedDatabase()
    const away = vi.fn().mockRejectedValue(new UserError('unavailable', 'The database is away.'))
    setConnection(Object.assign(Object.create(whole), { read: away, write: away, batch: away }))
    const logged = vi.spyOn(log, 'error').mockReturnValue(undefined)
    const stopping = new AbortController()
    const kept = keep(stopping.signal)
    await vi.waitFor(() => expect(away).toHaveBeenCalled())
    await new Promise((resolve) => setImmediate(resolve))
    stopping.abort()
    await kept
    setConnection(whole)
    expect(logged.mock.calls).toEqual([])
  })
})
