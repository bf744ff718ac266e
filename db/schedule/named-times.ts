const meridiem = `(?: ?[ap]\\.? ?m\\b\\.?|[ap]\\b)`
/** `10:00 AM`, `10am`, `18:30`, `18h30`, `10.30 p.m.`, `7 o'clock`, `noon`. */
const clear = `(?:\\b\\d{1,2}(?:[:h]\\d{2}\\b(?:${meridiem})?|[:.]?(?:\\d{2})?(?:${meridiem}| ?o['’]?clock\\b)|h\\b)|\\bnoon\\b|\\bmidday\\b|\\bmidnight\\b)`
/** A number that may be an hour as well as anything else. */
const unclear = '\\b\\d{1,2}(?:\\.\\d{2})?\\b'
const time = `(?:${clear}|${unclear})`

const until = new RegExp(`\\b(?:until|till?|ends?|ending|finish(?:es)?|by|before)(?: (?:at|by))? ${time}`, 'g')
const range = new RegExp(`(${time})\\s*(?:[-–—]|to\\b|through\\b|thru\\b)\\s*${time}`, 'g')

/** The times at which something begins, as minutes after midnight. */
export type NamedTimes = {
  /** Those that can only be meant as times. A time without AM or PM is two. */
  clear: Set<number>
  /** Those, and numbers that may be hours. */
  possible: Set<number>
}

/** Times at which a text says that something begins, but not when it ends. */
export function namedTimes(text: string): NamedTimes {
  const starts = text.toLowerCase().replace(until, ' ').replace(range, '$1 ')
  const onlyHour = /^\s*(?:at )?\d{1,2}\s*$/.test(starts)
  const found = (pattern: string) => new Set(Array.from(starts.matchAll(new RegExp(pattern, 'g')), minutesOf).flat())
  return { clear: found(onlyHour ? time : clear), possible: found(time) }
}

/** Whether a text names one time, when something begins, and no other number. */
export function namesOneTime(text: string): boolean {
  const numbers = Array.from(text.normalize('NFKC').toLowerCase().matchAll(new RegExp(time, 'g')))
  return numbers.length === 1 && namedTimes(text).clear.size > 0
}

function minutesOf([text]: RegExpExecArray): number[] {
  if (text === 'noon' || text === 'midday') return [12 * 60]
  if (text === 'midnight') return [0]
  const [, digits = '', minuteDigits = '0', half] = /^(\d{1,2})(?:[:.h]?(\d{2}))?\s*([ap](?!\w{2}))?/.exec(text) ?? []
  const hour = Number(digits)
  const minutes = Number(minuteDigits)
  if (hour > 23 || minutes > 59) return []
  if (half === undefined || hour > 12) return hoursMeant(digits).map((one) => one * 60 + minutes)
  return [((hour % 12) + (half === 'p' ? 12 : 0)) * 60 + minutes]
}

/** `18` and `08` are hours of 24; `8` may be one of the evening. */
function hoursMeant(digits: string): number[] {
  const hour = Number(digits)
  if (digits.startsWith('0') || hour > 12) return [hour]
  return [hour, (hour + 12) % 24]
}
