import { beforeAll, beforeEach, expect, it } from 'vitest'
import { db } from '#db/storage/client.ts'
import { auditEntries } from '#db/tables/access.ts'
import { churches, churchPictures } from '#db/tables/invitation.ts'
import type { Church } from '#db/values/church.ts'
import { auditLines, describeOnBothDatabases, emptyTables, testCall } from '#testing/database-fixtures.ts'
import { changeChurch, findPicture, getChurch, removePicture, storePicture } from './operations.ts'
import { testPicture } from './picture-fixtures.ts'
import { preparePicture } from './prepare-picture.ts'

const call = testCall()
const nothing: Church = { name: null, accent: 'plum', pictureAlt: null, picture: null }

describeOnBothDatabases('the church', () => {
  beforeEach(() => emptyTables(churches, churchPictures, auditEntries))

  it('is changed text by text or at once, returned whole and stored, and the audit has no text', async () => {
    const named = { ...nothing, name: 'Grace Church' }
    expect(await getChurch()).toEqual(nothing)
    expect(await changeChurch({ name: '  Grace Church ' }, call)).toEqual(named)
    expect(await changeChurch({ accent: 'teal' }, call)).toEqual({ ...named, accent: 'teal' })
    const whole = { name: 'Zion', accent: 'slate', pictureAlt: 'The church in spring' } as const
    expect(await changeChurch(whole, call)).toEqual({ ...whole, picture: null })
    expect((await auditLines()).at(-1)).toBe('terminal: church changed name accent pictureAlt')
    expect(await getChurch()).toEqual({ ...whole, picture: null })
    expect(await changeChurch({ name: null, accent: 'plum', pictureAlt: '' }, call)).toEqual(nothing)
  })

  const color = 'Choose one of these colors: plum, rose, bronze, olive, teal, blue, indigo, slate.'
  const oneLine = 'The name of the church holds a line break or another control. Type it in one line.'

  it.each([
    [{}, 'Name at least one of name, accent and pictureAlt.'],
    [null, 'Send a JSON object.'],
    [{ name: 'Zion', picture: null }, 'Send name, accent, pictureAlt, or several of them.'],
    [{ name: 'x'.repeat(81) }, 'The name of the church may have at most 80 characters.'],
    [{ name: 'Grace\nChurch' }, oneLine],
    [{ name: 'Grace \ud800' }, 'The name of the church holds a character that cannot be stored. Type it again.'],
    [{ accent: '#6a3460' }, color],
    [{ accent: null }, color],
    [{ pictureAlt: 'x'.repeat(301) }, 'The description of the picture may have at most 300 characters.'],
  ])('refuses %j', async (change, message) => {
    await expect(changeChurch(change, call)).rejects.toMatchObject({ code: 'invalid', fields: [{ message }] })
    expect(await getChurch()).toEqual(nothing)
    expect(await auditLines()).toEqual([])
  })
})

const twoSizes = [
  { width: 800, height: 450 },
  { width: 1000, height: 563 },
]

describeOnBothDatabases('the picture of the church', () => {
  let prepared: Awaited<ReturnType<typeof preparePicture>>
  beforeAll(async () => {
    prepared = await preparePicture(await testPicture())
  })
  beforeEach(() => emptyTables(churches, churchPictures, auditEntries))

  it('is stored in its sizes, and can be read by them', async () => {
    const { picture } = await storePicture(prepared, call)
    expect(picture).toEqual({ hash: expect.stringMatching(/^[\da-f]{16}$/), sizes: twoSizes })
    expect((await getChurch()).picture).toEqual(picture)
    for (const { width } of twoSizes) {
      const stored = await findPicture({ hash: picture?.hash, width })
      expect(stored?.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
    }
    expect(await findPicture({ hash: picture?.hash, width: 801 })).toBeUndefined()
    expect(await findPicture({ hash: 'other', width: 800 })).toBeUndefined()
    expect(await auditLines()).toEqual(['terminal: church changed picture'])
  })

  it('is replaced whole, and keeps what the church says otherwise', async () => {
    await changeChurch({ name: 'Grace Church', pictureAlt: 'The church' }, call)
    const { picture: first } = await storePicture(prepared, call)
    const second = await storePicture(await preparePicture(await testPicture({ width: 500 })), call)
    expect(second).toMatchObject({ name: 'Grace Church', pictureAlt: 'The church' })
    expect(second.picture?.sizes).toEqual([{ width: 500, height: 281 }])
    expect(await findPicture({ hash: first?.hash, width: 800 })).toBeUndefined()
    expect(await db.select({ width: churchPictures.width }).from(churchPictures)).toEqual([{ width: 500 }])
  })

  it('is removed with what it was described as, also where there is none', async () => {
    await storePicture(prepared, call)
    await changeChurch({ name: 'Grace Church', pictureAlt: 'The church' }, call)
    const removed = { ...nothing, name: 'Grace Church' }
    expect(await removePicture(call)).toEqual(removed)
    expect(await removePicture(call)).toEqual(removed)
    expect((await auditLines()).at(-1)).toBe('terminal: church changed picture removed')
  })
})
