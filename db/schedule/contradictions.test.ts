import { describe, expect, it } from 'vitest'
import { findContradictions } from './contradictions.ts'

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
    'every sabbath',
    'Sabbaths',
    'Shabbat',
    'Saturday',
    'Saturdays',
    'SATURDAY',
    'Sat.',
    'Saturday, November 21',
    'Saturday & Sunday',
    'Fri, Sat and Sun',
    'Fri–Sun',
    'Friday to Sunday',
    'Monday through Saturday',
    'Every weekend',
    'Daily',
    'Every day',
    'Every seventh day',
    'First Sabbath of the month',
    'Every other Saturday',
    'Sunday Sabbath',
    'November 21, 2026',
    '21st November 2026',
    '2026-11-21',
    '11/21/2026',
    '07/11/2026',
    'Saturday, November 22, 2026',
    'Every day except Sunday',
    'Saturdays, not Sundays',
    'No service on Sunday',
    'Canceled on Sundays',
    'November 22',
    'Every week',
    'Weekly',
    'Next week',
    'In the sun',
    'Sunset',
    'Monday’s child choir sings on Saturday',
    'To be announced',
    'Cada sábado',
    '每周日',
    '99/99/2026',
    '',
  ])('finds that Saturday fits “%s”', (date) => {
    expect(contradicting(date)).toBe('')
  })

  it.each([
    'Sunday',
    'Sundays',
    'SUNDAYS',
    'every sunday',
    'Sun.',
    'Sun',
    'Lord’s Day',
    "Every Lord's Day",
    'First day of the week',
    'Friday evenings',
    'Sabbath eve',
    'Eve of the Sabbath',
    'Mondays and Wednesdays',
    'Mon/Wed/Fri',
    'Mon–Fri',
    'Sunday to Thursday',
    'Weekdays',
    'Tues.',
    'Thurs',
    'Easter Sunday',
    'Sunday, November 21',
    'November 22, 2026',
    '22 November 2026',
    'Nov. 22, 2026',
    '2026-11-22',
    '11/22/2026',
    'Sundays except in August',
    'Sundays (no service on Saturday)',
    'Ｓｕｎｄａｙ',
  ])('finds that Saturday contradicts “%s”', (date) => {
    expect(contradicting(date)).toBe('date')
  })

  it.each([
    '10:00 AM',
    '10 AM',
    '10am',
    '10a',
    '10 a.m.',
    '10 a. m.',
    '10:00',
    '10.00 am',
    '10h00',
    '10h',
    '10',
    'at 10',
    '10 o’clock',
    'Ten in the morning',
    '10am and 6pm',
    '10 and 6pm',
    '8:30, 10 and 11:30 AM',
    '10:00 AM – 12:00 PM',
    '10–11:30 AM',
    '10 to noon',
    'From 10 until noon',
    'Doors open 9:30 AM, worship 10:00 AM',
    'Sabbath School 9:00, worship 10:00',
    '10:00 AM CST (11:00 AM EST)',
    'Around 9 AM',
    'Morning',
    'Afternoon',
    'After sunset',
    'Until noon',
    'Room 12',
    '25:00',
    '10:75',
    '１０：００',
    'To be announced',
    '',
  ])('finds that 10:00 fits “%s”', (time) => {
    expect(contradicting('Every Sabbath', time)).toBe('')
  })

  it.each([
    '10 PM',
    '10:00 p.m.',
    '10:30 AM',
    '10.30am',
    '9:30',
    '9am',
    '9',
    '18:30',
    '18h30',
    '08:00',
    '22:00',
    '6 o’clock',
    'noon',
    'Noon',
    'midnight',
    '12 AM',
    '12:00 PM',
    '9:00 AM and 6:00 PM',
    '9 AM – 10 AM',
    '8 to 10 AM',
    '6p',
    '11 AM in Room 12',
  ])('finds that 10:00 contradicts “%s”', (time) => {
    expect(contradicting('Every Sabbath', time)).toBe('time')
  })

  it.each([
    ['Sundays', '6 PM', 'date and time'],
    ['Sabbath', 'Sundays 10 AM', ''],
    ['Weekly', 'Sundays 10 AM', 'time'],
    ['Sundays at 10 AM', 'see above', 'date'],
    ['Every Sabbath at 6 PM', 'see above', 'date'],
    ['Every Sabbath at 6 PM', '10 AM', ''],
    ['Saturday, November 9', '10:00 AM', ''],
  ])('reads days and times in both texts: “%s” and “%s”', (date, time, found) => {
    expect(contradicting(date, time)).toBe(found)
  })

  it.each([
    ['midnight', '00:00', ''],
    ['12 AM', '00:00', ''],
    ['12:30', '00:30', ''],
    ['noon', '12:00', ''],
    ['12 PM', '12:00', ''],
    ['6:30 PM', '18:30', ''],
    ['6:30', '18:30', ''],
    ['18:30 PM', '18:30', ''],
    ['10 AM – 12 PM', '12:00', 'time'],
    ['06:30', '18:30', 'time'],
    ['6:30 AM', '18:30', 'time'],
  ])('compares “%s” with a service at %s', (time, startTime, found) => {
    expect(contradicting('Every Sabbath', time, { ...saturday, startTime })).toBe(found)
  })

  it('says in a sentence what contradicts what, and what to do', () => {
    expect(findContradictions({ date: 'Sundays', time: '6 PM' }, saturday)).toEqual([
      {
        text: 'date',
        sentence:
          'The event’s date names another day than the schedule, which says Saturday. Change the one that is wrong.',
      },
      {
        text: 'time',
        sentence:
          'The event’s time names another time than the schedule, which says 10:00 AM. Change the one that is wrong.',
      },
    ])
  })

  it('reads the longest texts at once', () => {
    for (const part of ['1', '10 ', 'sun', 'sun ', 'a', ' ', '10:00 - ', 'no ', 'jan 1 ', '-', '1/1/']) {
      const text = part.repeat(2000 / part.length)
      expect(findContradictions({ date: text, time: text }, saturday).length).toBeLessThanOrEqual(2)
    }
  })
})
