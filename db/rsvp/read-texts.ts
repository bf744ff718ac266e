import { ageOfYears, membersIn } from '#db/values/people.ts'
import { calendarText, remarkAtEnd } from './fields.ts'
import { ageGroups, calendarTypes } from './schema.ts'

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
  return itemsOf(text).map(memberFrom)
}

const noOne =
  /^(?:none|n\/a|no ?(?:one|body)|keine?r?|niemand|aucune?|personne|ningun[oa]|nadie|nenhuma?|ninguém|없음)\.?$/i

/** The members in a list as people write it, also in lines, with commas or with ages: `Joel (4), Dina (teen)`. */
export function membersFrom(text: string) {
  if (attendingFrom(text) === false || noOne.test(text.trim())) return []
  const list = text
    .replace(/\((not attending), ?(\w+)\)/gi, '($2, $1)')
    .replace(/(?:\d|adult|teen|child|attending)\)/gi, '$&;')
  return membersIn(list).map(({ name, age }) => ({ ...memberFrom(name), ...(age && { age }) }))
}

function memberFrom(item: string) {
  const [, name = item, said = '', absent] = remarkAtEnd.exec(item) ?? []
  const age = /^\d/.test(said) ? ageOfYears(Number(said)) : ageGroups.find((group) => group === said.toLowerCase())
  return { name: unescapedItem(name), age, attending: absent === undefined }
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
