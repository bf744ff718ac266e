import { describe, expect, it } from 'vitest'
import { endText, findContradictions } from './contradictions.ts'
import { testSchedule } from './schedule-fixtures.ts'

const saturday = { weekday: 6, startTime: '10:00' }
const fitting = '10:00 AM'

/** Which texts contradict a service on Saturday at 10:00. */
function contradicting(date: string, time = fitting, schedule = saturday): string {
  return findContradictions({ date, time }, schedule)
    .map(({ text }) => text)
    .join(' and ')
}

describe('findContradictions', () => {
  it.each([
    'Every Sabbath',
    'Sat',
    'Fri–Sun',
    'Daily',
    'Every seventh day',
    'Saturdays, not Sundays',
    'In the sun',
    'Monday’s child choir sings on Saturday',
    '每周日',
    '',
  ])('finds that Saturday fits “%s”', (date) => {
    expect(contradicting(date)).toBe('')
  })

  it.each([
    'Sun.',
    'Lord’s Day',
    'Sabbath eve',
    'Mondays and Wednesdays',
    'Weekdays',
    'Sunday, November 21',
    'Sundays except in August',
    'Sundays (no service on Saturday)',
    'Ｓｕｎｄａｙ',
  ])('finds that Saturday contradicts “%s”', (date) => {
    expect(contradicting(date)).toBe('date')
  })

  it.each([
    '10 AM',
    '10h00',
    '10 and 6pm',
    '8:30, 10 and 11:30 AM',
    '10 to noon',
    '10:00 AM CST (11:00 AM EST)',
    'Around 9 AM',
    'Until noon',
    'Room 12',
    '１０：００',
    '',
  ])('finds that 10:00 fits “%s”', (time) => {
    expect(contradicting('Every Sabbath', time)).toBe('')
  })

  it.each(['10:30 AM', '9', '6 o’clock', 'noon', '12:00 PM', '9:00 AM and 6:00 PM', '6p', '11 AM in Room 12'])(
    'finds that 10:00 contradicts “%s”',
    (time) => {
      expect(contradicting('Every Sabbath', time)).toBe('time')
    },
  )

  it.each([
    ['Sundays', '6 PM', 'date and time'],
    ['Sabbath', 'Sundays 10 AM', ''],
    ['Weekly', 'Sundays 10 AM', 'time'],
    ['Every Sabbath at 6 PM', 'see above', 'date'],
    ['Saturday, November 9', '10:00 AM', ''],
  ])('reads days and times in both texts: “%s” and “%s”', (date, time, found) => {
    expect(contradicting(date, time)).toBe(found)
  })

  it.each([
    ['midnight', '00:00', ''],
    ['12:30', '00:30', ''],
    ['noon', '12:00', ''],
    ['6:30 PM', '18:30', ''],
    ['6:30', '18:30', ''],
    ['18:30 PM', '18:30', ''],
    ['10 AM – 12 PM', '12:00', 'time'],
    ['06:30', '18:30', 'time'],
  ])('compares “%s” with a service at %s', (time, startTime, found) => {
    expect(contradicting('Every Sabbath', time, { ...saturday, startTime })).toBe(found)
  })

  it('says in a sentence what contradicts what, and what to do', () => {
    const says = (text: string, told: string) => ({
      text,
      sentence: `The event’s ${text} names another ${told}. Change the one that is wrong.`,
    })
    expect(findContradictions({ date: 'Sundays', time: '6 PM' }, saturday)).toEqual([
      says('date', 'day than the schedule, which says Saturday'),
      says('time', 'time than the schedule, which says 10:00 AM'),
    ])
  })

  it('reads the longest texts at once', () => {
    for (const part of ['1', '10 ', 'sun', 'sun ', 'a', ' ', '10:00 - ', 'no ', '-']) {
      const text = part.repeat(2000 / part.length)
      expect(findContradictions({ date: text, time: text }, saturday).length).toBeLessThanOrEqual(2)
    }
  })
})

describe('endText', () => {
  const schedule = { ...testSchedule(), confirmed: true }

  it.each([
    ['10:00 AM', '12:00 PM'],
    ['10:00 a. m.', '12:00 p.m.'],
    ['At 10 in the morning', undefined],
    ['10:00', '12:00'],
    ['10:00 AM – 12:00 PM', undefined],
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
    const late = { ...schedule, startTime: '23:30', durationMinutes: 90 }
    expect(endText({ date: '', time: '11:30 PM' }, late)).toBe('1:00 AM')
  })

  it('writes the time as the event does', () => {
    const evening = { ...schedule, startTime: '18:30', durationMinutes: 90 }
    expect(endText({ date: '', time: '18:30' }, evening)).toBe('20:00')
    expect(endText({ date: '', time: '6:30 PM' }, evening)).toBe('8:00 PM')
    expect(endText({ date: '', time: '6:30' }, evening)).toBe('8:00 PM')
    expect(endText({ date: '', time: '6:30 pm' }, { ...evening, durationMinutes: 75 })).toBe('7:45 pm')
  })
})
