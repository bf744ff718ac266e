import { beforeEach, expect, it } from 'vitest'
import { describeOnBothDatabases, testCall, testEvent } from '#db/fixtures.ts'
import { transaction } from '#db/storage/client.ts'
import { defaultEvent } from './default-event.ts'
import { changeEvent, getEvent } from './operations.ts'
import { events } from './table.ts'

const call = testCall()

describeOnBothDatabases('event operations', () => {
  beforeEach(async () => {
    await transaction((tx) => tx.delete(events))
  })

  it('returns null while nothing is stored', async () => {
    expect(await getEvent(call)).toBeNull()
  })

  it('stores all seven texts', async () => {
    const event = testEvent({ title: 'Harvest Sabbath', eventTitle: 'Thanksgiving', location: 'By the lake' })
    expect(await changeEvent(event, call)).toMatchObject({ event })
    expect(await getEvent(call)).toEqual(event)
  })

  it('keeps the stored event title where the payload has none', async () => {
    await changeEvent(testEvent({ eventTitle: 'Thanksgiving' }), call)
    const { eventTitle: _, ...six } = testEvent({ title: 'New' })
    expect(await changeEvent(six, call)).toMatchObject({ event: { title: 'New', eventTitle: 'Thanksgiving' } })
  })

  it('takes the default event title where there has never been one', async () => {
    const { eventTitle: _, ...six } = testEvent()
    expect(await changeEvent(six, call)).toMatchObject({ event: { eventTitle: defaultEvent.eventTitle } })
  })

  it('turns an empty text into its default', async () => {
    const empty = { title: '', subtitle: ' ', eventTitle: '', description: '', date: '', time: '', location: '' }
    expect(await changeEvent(empty, call)).toMatchObject({ event: testEvent() })
  })

  it('stores a first event only if there is none', async () => {
    await changeEvent({ ...testEvent({ title: 'First' }), onlyIfNone: true }, call)
    await expect(changeEvent({ ...testEvent({ title: 'Late' }), onlyIfNone: true }, call)).rejects.toMatchObject({
      code: 'already-exists',
    })
    expect(await getEvent(call)).toMatchObject({ title: 'First' })
  })

  it.each([{ title: 'x'.repeat(2001) }, { date: 7 }, { location: undefined }])('refuses %o', async (change) => {
    await expect(changeEvent({ ...testEvent(), ...change }, call)).rejects.toMatchObject({ code: 'invalid' })
    expect(await getEvent(call)).toBeNull()
  })
})
