import { beforeEach, expect, it } from 'vitest'
import { auditLines, describeOnBothDatabases, testCall, testEvent } from '#db/fixtures.ts'
import { transaction } from '#db/storage/client.ts'
import { changeEvent, changeEventTexts, getEvent, getStoredEvent } from './operations.ts'
import { events } from './table.ts'

const call = testCall()

describeOnBothDatabases('the revision of the event', () => {
  beforeEach(async () => {
    await transaction((tx) => tx.delete(events))
  })

  it('rises with every change, whoever makes it', async () => {
    const first = await changeEvent({ ...testEvent(), onlyIfNone: true }, call)
    const second = await changeEvent(testEvent({ time: '9 AM' }), call)
    const third = await changeEventTexts({ time: '11 AM' }, call)
    const fourth = await changeEventTexts({ time: '11 AM', onlyIfRevision: [third.revision] }, call)
    const revisions = [first, second, third, fourth].map(({ revision }) => revision)
    expect(revisions).toEqual([0, 1, 2, 3].map((more) => first.revision + more))
    expect(await getStoredEvent(call)).toEqual(fourth)
  })

  it('rises also where the clock goes back, and is not given again after an older database came back', async () => {
    const { revision } = await changeEvent(testEvent(), call)
    const earlier = await changeEventTexts({ time: '9 AM' }, testCall({ now: new Date('2015-01-01') }))
    expect(earlier.revision).toBe(revision + 1)
    await transaction((tx) => tx.update(events).set({ revision }))
    const later = await changeEventTexts({ time: '11 AM' }, testCall({ now: new Date('2025-02-01') }))
    expect(later.revision).toBeGreaterThan(earlier.revision)
  })

  it('lets only one of fifty who saw the same one change anything', async () => {
    const { revision } = await changeEvent(testEvent(), call)
    const before = (await auditLines()).length
    const changes = Array.from({ length: 50 }, (_, number) =>
      changeEventTexts({ time: `${number}`, onlyIfRevision: [revision] }, call),
    )
    const ended = await Promise.allSettled(changes)
    const won = ended.filter((end) => end.status === 'fulfilled')
    expect(won).toHaveLength(1)
    for (const end of ended) {
      if (end.status === 'rejected') expect(end.reason).toMatchObject({ code: 'changed-meanwhile' })
    }
    expect(await getEvent(call)).toEqual(won[0]?.value.event)
    expect(await auditLines()).toHaveLength(before + 1)
  })

  it('is any where that is asked, but nothing is made where nothing is stored', async () => {
    await expect(changeEventTexts({ time: '9 AM', onlyIfRevision: 'any' }, call)).rejects.toMatchObject({
      code: 'changed-meanwhile',
    })
    await expect(changeEventTexts({ time: '9 AM', onlyIfRevision: [1] }, call)).rejects.toMatchObject({
      code: 'changed-meanwhile',
    })
    expect(await getEvent(call)).toBeNull()
    await changeEvent(testEvent(), call)
    expect(await changeEventTexts({ time: '9 AM', onlyIfRevision: 'any' }, call)).toMatchObject({
      event: testEvent({ time: '9 AM' }),
    })
  })
})
