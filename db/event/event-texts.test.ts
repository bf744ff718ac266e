import { beforeEach, expect, it } from 'vitest'
import { describeOnBothDatabases, testCall, testEvent } from '#db/fixtures.ts'
import { transaction } from '#db/storage/client.ts'
import { EVENT_TEXT_MAXIMUM } from './content.ts'
import { changeEvent, changeEventTexts, getEvent } from './operations.ts'
import { events } from './table.ts'

const call = testCall()

describeOnBothDatabases('changeEventTexts', () => {
  beforeEach(async () => {
    await transaction((tx) => tx.delete(events))
  })

  it('changes and stores what is given, and returns the whole event', async () => {
    await changeEvent(testEvent({ title: 'Harvest Sabbath', eventTitle: 'Thanksgiving', time: '9:00 AM' }), call)
    const changed = testEvent({ title: 'Harvest Sabbath', eventTitle: 'Thanksgiving', time: '9:30 AM', date: 'Nov 28' })
    expect(await changeEventTexts({ time: ' 9:30 AM ', date: 'Nov 28' }, call)).toMatchObject({ event: changed })
    expect(await getEvent(call)).toEqual(changed)
  })

  it.each(['title', 'subtitle', 'eventTitle', 'description', 'date', 'time', 'location'] as const)(
    'changes the %s and nothing else',
    async (key) => {
      await changeEventTexts({ [key]: 'One' }, call)
      expect(await changeEventTexts({ [key]: 'Two' }, call)).toMatchObject({ event: testEvent({ [key]: 'Two' }) })
    },
  )

  it('takes the defaults for the rest where there has never been an event', async () => {
    expect(await changeEventTexts({ location: 'By the lake' }, call)).toMatchObject({
      event: testEvent({ location: 'By the lake' }),
    })
    expect(await getEvent(call)).toEqual(testEvent({ location: 'By the lake' }))
  })

  it('turns an empty text into its default', async () => {
    await changeEventTexts({ title: 'Harvest Sabbath', location: 'By the lake' }, call)
    expect(await changeEventTexts({ title: ' ' }, call)).toMatchObject({
      event: testEvent({ location: 'By the lake' }),
    })
  })

  it('keeps what others change at the same time', async () => {
    const changes = {
      title: 'A',
      subtitle: 'B',
      eventTitle: 'C',
      description: 'D',
      date: 'E',
      time: 'F',
      location: 'G',
    }
    await Promise.all(Object.entries(changes).map(([key, text]) => changeEventTexts({ [key]: text }, call)))
    expect(await getEvent(call)).toEqual(changes)
  })

  it.each([
    [{}, 'Give at least one text to change.'],
    [{ unknown: 'x' }, 'Give at least one text to change.'],
    [{ title: 7 }, 'The page title must be text.'],
    [{ date: null }, 'The date must be text.'],
    [{ time: 'x'.repeat(EVENT_TEXT_MAXIMUM + 1) }, 'The time may have at most 2,000 characters.'],
    [{ title: 'Fine', location: 'a\0b' }, 'The location holds a character that cannot be stored. Type it again.'],
    [undefined, 'Send the event as a JSON object.'],
  ])('refuses %o, and changes nothing', async (texts, message) => {
    await expect(changeEventTexts(texts, call)).rejects.toMatchObject({ code: 'invalid', fields: [{ message }] })
    expect(await getEvent(call)).toBeNull()
  })
})
