import { calendarText, LIST_SEPARATOR, memberText } from './fields.ts'
import { ageGroups, calendarTypes } from './schema.ts'

/** Every remark that `memberText` can append to a name, with its meaning. */
const remarks = [undefined, ...ageGroups].flatMap((age) =>
  [true, false].map((attending) => ({
    age,
    attending,
    text: memberText({ name: '', age: age ?? null, attending }),
  })),
)

/** The family members in a cell, e.g. `Joel Cole (child); Dina Cole (not attending)`. */
export function membersFrom(text: string) {
  const items = text.split(LIST_SEPARATOR).filter((item) => item.trim() !== '')
  return items.map((item) => {
    const found = remarks.find((remark) => remark.text !== '' && item.endsWith(remark.text))
    const { age, attending } = found ?? { age: undefined, attending: true }
    return { name: found === undefined ? item : item.slice(0, -found.text.length), age, attending }
  })
}

/** The calendar that `calendarText` names; undefined for any other text. */
export function calendarFrom(text: string) {
  return calendarTypes.find((calendarType) => calendarText({ calendarType }) === text)
}
