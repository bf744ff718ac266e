import { namesIn } from '#db/values/people.ts'
import { calendarText, memberText } from './fields.ts'
import { ageGroups, calendarTypes } from './schema.ts'

/** Every remark that `memberText` can append to a name, with its meaning. */
const remarks = [undefined, ...ageGroups].flatMap((age) =>
  [true, false].map((attending) => ({
    age,
    attending,
    text: memberText({ name: '', age: age ?? null, attending }),
  })),
)

/** The items of a list in a cell, still escaped. */
export function itemsOf(text: string): string[] {
  return text.split(/(?<!(?<!\\)(?:\\\\)*\\); /).filter((item) => item.trim() !== '')
}

/** An item of a list without what `escapedItem` and `memberItem` insert. */
export function unescapedItem(item: string): string {
  return item.replace(/\\([\\;(])/g, '$1')
}

/** The family members in a cell of our CSV, e.g. `Joel Cole (child); Dina Cole (not attending)`. */
export function exportedMembers(text: string) {
  return itemsOf(text).map((item) => {
    const found = remarks.find((remark) => remark.text !== '' && item.endsWith(remark.text))
    const { age, attending } = found ?? { age: undefined, attending: true }
    return { name: unescapedItem(found === undefined ? item : item.slice(0, -found.text.length)), age, attending }
  })
}

/** What says of a member in a list how old it is, and whether it comes. */
const remark = /\s*\((?=[^)])(adult|teen|child|\d{1,2})?\s*(not attending)?\)/gi

/** The members in a list as people write it, also in lines, with commas or with ages: `Joel (4), Dina (teen)`. */
export function membersFrom(text: string) {
  if (attendingFrom(text) === false) return []
  // First without the comma in a remark, at which the name would end.
  const list = text.replaceAll(', not attending)', ' not attending)').replace(remark, '$&;')
  return namesIn(list).map((item) => {
    const [[all = '', age = '', absent] = []] = item.matchAll(remark)
    const years = Number(age || Number.NaN)
    const ofYears = years < 13 ? 'child' : years < 18 ? 'teen' : 'adult'
    return {
      name: item.replace(all, ''),
      age: ageGroups.find((group) => group === age.toLowerCase()) ?? (Number.isNaN(years) ? undefined : ofYears),
      attending: absent === undefined,
    }
  })
}

/** The calendar that `calendarText` names; undefined for any other text. */
export function calendarFrom(text: string) {
  return calendarTypes.find((calendarType) => calendarText({ calendarType }) === text)
}

const yes =
  /^(yes|y|true|1|x|✓|attending|coming|going|accepted|ja|wahr|oui|vrai|s[ií]|verdadero|sim|verdadeiro|예|네|نعم)(?=$|[,.!;])/i
const no =
  /^(no|n|false|0|(not|can't|cannot|can’t) (attending|attend|coming|come|going)|declined|nein|falsch|non|faux|falso|não|nao|아니요|아니오|لا)(?=$|[,.!;])/i

/** Whether the sender comes, as our CSV or another list says it; undefined for anything else, e.g. Maybe. */
export function attendingFrom(text: string): boolean | undefined {
  const word = text.normalize('NFKC').trim()
  if (yes.test(word)) return true
  return no.test(word) ? false : undefined
}
