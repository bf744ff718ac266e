import { beforeEach, expect, it } from 'vitest'
import { auditEntries } from '#db/audit/table.ts'
import { auditLines, describeOnBothDatabases, testCall } from '#db/fixtures.ts'
import { transaction } from '#db/storage/client.ts'
import { changeChurch, getChurch } from './operations.ts'
import type { Church } from './schema.ts'
import { churches, churchPictures } from './table.ts'

const call = testCall()
const nothing: Church = { name: null, accent: null, pictureAlt: null, picture: null }

describeOnBothDatabases('the church', () => {
  beforeEach(async () => {
    await transaction((tx) => tx.batch([tx.delete(churches), tx.delete(churchPictures), tx.delete(auditEntries)]))
  })

  it('has neither name nor accent nor picture at first', async () => {
    expect(await getChurch(call)).toEqual(nothing)
  })

  it('is changed text by text or at once, returned whole and stored', async () => {
    const named = { ...nothing, name: 'Grace Church' }
    expect(await changeChurch({ name: '  Grace Church ' }, call)).toEqual(named)
    expect(await changeChurch({ accent: '#0B5D66' }, call)).toEqual({ ...named, accent: '#0b5d66' })
    const whole = { name: 'Zion', accent: '#ffffff', pictureAlt: 'The church in spring' }
    expect(await changeChurch(whole, call)).toEqual({ ...whole, picture: null })
    expect(await getChurch(call)).toEqual({ ...whole, picture: null })
    expect(await changeChurch({ name: null, accent: null, pictureAlt: '' }, call)).toEqual(nothing)
  })

  it('keeps what others change at the same time', async () => {
    await Promise.all([changeChurch({ name: 'Grace Church' }, call), changeChurch({ accent: '#0b5d66' }, call)])
    expect(await getChurch(call)).toEqual({ ...nothing, name: 'Grace Church', accent: '#0b5d66' })
  })

  it('is one row', async () => {
    await expect(transaction((tx) => tx.insert(churches).values({ id: 2 }))).rejects.toThrow('SQLITE_CONSTRAINT')
  })

  it('has its changes in the audit, without a text', async () => {
    await changeChurch({ name: 'Grace Church', accent: '#0b5d66' }, call)
    expect(await auditLines()).toEqual(['terminal: church changed name accent'])
  })

  const color = 'A color is written as # with six digits from 0 to f, e.g. #6a3460.'
  const oneLine = 'The name of the church holds a line break or another control. Type it in one line.'

  it.each([
    [{}, 'Name at least one of name, accent and pictureAlt.'],
    [null, 'Send name, accent, pictureAlt, or several of them.'],
    [{ name: 'Zion', picture: null }, 'Send name, accent, pictureAlt, or several of them.'],
    [{ name: 1 }, 'The name of the church must be text.'],
    [{ name: 'x'.repeat(81) }, 'The name of the church may have at most 80 characters.'],
    [{ name: 'Grace\nChurch' }, oneLine],
    [{ name: 'Grace\u001b[31m' }, oneLine],
    [{ name: 'Grace \ud800' }, 'The name of the church holds a character that cannot be stored. Type it again.'],
    [{ accent: 'red' }, color],
    [{ accent: '#fff' }, color],
    [{ accent: '#6a3460;}' }, color],
    [{ accent: 5 }, color],
    [{ pictureAlt: 'x'.repeat(301) }, 'The description of the picture may have at most 300 characters.'],
  ])('refuses %j', async (change, message) => {
    await expect(changeChurch(change, call)).rejects.toMatchObject({ code: 'invalid', fields: [{ message }] })
    expect(await getChurch(call)).toEqual(nothing)
    expect(await auditLines()).toEqual([])
  })
})
