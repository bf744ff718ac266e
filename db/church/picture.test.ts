import { beforeAll, beforeEach, expect, it } from 'vitest'
import { auditEntries } from '#db/audit/table.ts'
import { auditLines, describeOnBothDatabases, testCall } from '#db/fixtures.ts'
import { db, transaction } from '#db/storage/client.ts'
import { changeChurch, findPicture, getChurch, removePicture, storePicture } from './operations.ts'
import { testPicture } from './picture-fixtures.ts'
import { preparePicture } from './prepare-picture.ts'
import { churches, churchPictures } from './table.ts'

const call = testCall()
const twoSizes = [
  { width: 800, height: 480 },
  { width: 1000, height: 600 },
]

describeOnBothDatabases('the picture of the church', () => {
  let prepared: Awaited<ReturnType<typeof preparePicture>>
  beforeAll(async () => {
    prepared = await preparePicture(await testPicture())
  })
  beforeEach(async () => {
    await transaction((tx) => tx.batch([tx.delete(churches), tx.delete(churchPictures), tx.delete(auditEntries)]))
  })

  it('is stored in its sizes, and can be read by them', async () => {
    const { picture } = await storePicture(prepared, call)
    expect(picture).toEqual({ hash: expect.stringMatching(/^[\da-f]{16}$/), sizes: twoSizes })
    expect((await getChurch(call)).picture).toEqual(picture)
    for (const { width } of twoSizes) {
      const stored = await findPicture({ hash: picture?.hash, width }, call)
      expect(stored?.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
    }
    expect(await findPicture({ hash: picture?.hash, width: 801 }, call)).toBeUndefined()
    expect(await findPicture({ hash: 'other', width: 800 }, call)).toBeUndefined()
    expect(await auditLines()).toEqual(['terminal: church changed picture'])
  })

  it('is replaced whole, and keeps what the church says otherwise', async () => {
    await changeChurch({ name: 'Grace Church', pictureAlt: 'The church' }, call)
    const { picture: first } = await storePicture(prepared, call)
    const second = await storePicture(await preparePicture(await testPicture({ width: 500 })), call)
    expect(second).toMatchObject({ name: 'Grace Church', pictureAlt: 'The church' })
    expect(second.picture?.sizes).toEqual([{ width: 500, height: 600 }])
    expect(await findPicture({ hash: first?.hash, width: 800 }, call)).toBeUndefined()
    expect(await db.select({ width: churchPictures.width }).from(churchPictures)).toEqual([{ width: 500 }])
  })

  it('is removed with what it was described as, also where there is none', async () => {
    await changeChurch({ name: 'Grace Church', pictureAlt: 'The church' }, call)
    await storePicture(prepared, call)
    const removed = { name: 'Grace Church', accent: null, pictureAlt: null, picture: null }
    expect(await removePicture(call)).toEqual(removed)
    expect(await removePicture(call)).toEqual(removed)
    expect((await auditLines()).at(-1)).toBe('terminal: church changed picture removed')
  })
})
