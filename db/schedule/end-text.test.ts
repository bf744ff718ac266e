import { describe, expect, it } from 'vitest'
import { endText } from './contradictions.ts'
import { testSchedule } from './schedule-fixtures.ts'

const schedule = { ...testSchedule(), confirmed: true }

describe('endText', () => {
  it.each([
    ['10:00 AM', '12:00 PM'],
    ['10 a.m.', '12 p.m.'],
    ['10AM', '12PM'],
    ['10:00 a. m.', '12:00 p.m.'],
    ['At 10 in the morning', undefined],
    ['10:00', '12:00'],
    ['10:00 AM – 12:00 PM', undefined],
    ['10 to noon', undefined],
    ['10am and 6pm', undefined],
    ['10:00 AM, Room 12', undefined],
    ['In the morning', undefined],
    ['11:00 AM', undefined],
    ['', undefined],
  ])('ends “%s” with %s', (time, end) => {
    expect(endText({ date: 'Every Sabbath', time }, schedule)).toBe(end)
  })

  it('says nothing while no one has confirmed the schedule, and where the day contradicts it', () => {
    expect(endText({ date: 'Every Sabbath', time: '10:00 AM' }, { ...schedule, confirmed: false })).toBeUndefined()
    expect(endText({ date: 'Sundays', time: '10:00 AM' }, schedule)).toBeUndefined()
  })

  it('counts over midnight', () => {
    expect(endText({ date: '', time: '11:30 PM' }, { ...schedule, startTime: '23:30', durationMinutes: 90 })).toBe(
      '1:00 AM',
    )
  })

  it('writes the time as the event does', () => {
    const evening = { ...schedule, startTime: '18:30', durationMinutes: 90 }
    expect(endText({ date: '', time: '18:30' }, evening)).toBe('20:00')
    expect(endText({ date: '', time: '6:30 PM' }, evening)).toBe('8:00 PM')
    expect(endText({ date: '', time: '6:30' }, evening)).toBe('8:00 PM')
    expect(endText({ date: '', time: '6:30 pm' }, { ...evening, durationMinutes: 75 })).toBe('7:45 pm')
  })
})
