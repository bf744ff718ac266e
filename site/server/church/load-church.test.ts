import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { changeChurch } from '#db/church/operations.ts'
import { fileDatabase, testCall } from '#db/fixtures.ts'
import { openDatabase } from '#db/open.ts'
import { closeDatabase, openedDatabase, setConnection } from '#db/storage/client.ts'
import { accentColors } from './accent.ts'
import { loadChurch } from './load-church.ts'

const database = fileDatabase()
let statements = 0

beforeAll(async () => {
  await openDatabase(database.url)
  const opened = openedDatabase()
  setConnection({
    ...opened,
    read: (statement) => {
      statements += 1
      return opened.read(statement)
    },
  })
})
afterAll(async () => {
  await closeDatabase()
  database.stop()
})

const visitor = testCall({ administrator: false, actor: 'visitor' })

describe('loadChurch', () => {
  it('shows nothing of a church that says nothing', async () => {
    expect(await loadChurch(visitor)).toEqual({ name: null, accent: null, picture: null })
  })

  it('shows the name, and the accent in both schemes with the address of its styles', async () => {
    await changeChurch({ name: 'Grace Church', accent: '#0b5d66' }, testCall())
    const shown = await loadChurch(visitor)
    const stylesheet = expect.stringMatching(/^\/church\/0b5d66-[\da-f]{16}\.css$/)
    expect(shown).toEqual({
      name: 'Grace Church',
      accent: { ...accentColors('#0b5d66'), stylesheet },
      picture: null,
    })
  })

  it('reads once for all pages until something is stored', async () => {
    await loadChurch(visitor)
    statements = 0
    for (let page = 0; page < 3; page += 1) await loadChurch(visitor)
    expect(statements).toBe(0)
    await changeChurch({ name: 'Zion' }, testCall())
    expect(await loadChurch(visitor)).toMatchObject({ name: 'Zion' })
  })

  it('shows nothing while the database cannot be read', async () => {
    const opened = openedDatabase()
    const { UserError } = await import('#db/errors.ts')
    const read = () => Promise.reject(new UserError('unavailable', 'It cannot be read.'))
    setConnection({ ...opened, changes: () => undefined, read })
    expect(await loadChurch(visitor)).toEqual({ name: null, accent: null, picture: null })
    setConnection(opened)
  })
})
