import { UserError } from '#db/errors.ts'
import { COUNTED_TITLE } from './csv.ts'
import { dateOrders, readDate } from './csv-dates.ts'
import { type FieldName, fieldsIn } from './fields.ts'
import { attendingFrom } from './read-texts.ts'

/** A column of a file, and the field that it becomes, with our title of it. A column without a field is ignored. */
type Column = { title: string; field: FieldName | undefined; becomes: string | undefined }

/** `missing` are the titles of fields that must be found, `unclear` the columns that could be several things. */
export type Columns = { columns: Column[]; unclear: { title: string; suggested: string }[]; missing: string[] }

/** What leaves out a column in `--map`. */
export const IGNORE = 'ignore'

const fields = fieldsIn('csv')
export const fieldTitles = fields.map(({ title }) => title)
const required: FieldName[] = ['name', 'attending']

/** What most cells of a column are. */
type Kind = 'address' | 'reply' | 'date' | 'number' | 'text'

/** What lists of other programs, e.g. Google Forms, hold for a field, and words of its title in our languages. */
const recognized: [FieldName, string, RegExp][] = [
  ['email', 'address', /e-?mail|correo|courriel|이메일|بريد/iu],
  ['phone', 'number date', /phone|mobile|\bcell|tel[eé]f|\btel\b|handy|전화|휴대|هاتف|جوال/iu],
  [
    'familyMembers',
    'text',
    /family (?!name)|fam[ií]l(y$|ia|ie|le$)|gue[s]t|begleit|acomp|accomp|가족|동반|(?<!م ال)عائلة|مرافق/iu,
  ],
  [
    'attending',
    'reply',
    /\bcom(e|ing)\b|attend|status|rsvp|join|komm|teil|asist|vendr|viens|virá|partici|présen|참석|حض/iu,
  ],
  [
    'createdAt',
    'date',
    /^(date|time ?stamp|completion time|zeitst.*|datum|marca t.*|fecha|horod.*|carimbo.*|data|타임스.*|.*طابع.*)$/iu,
  ],
  [
    'message',
    'address reply date number text',
    /message|comment|\bnotes?\b|nachr|merk|kommentar|mensa[jg]|coment|메시지|رسالة/iu,
  ],
  ['name', 'text', /\bname|name$|nombre|apellido|nom\b|\bnome\b|이름|성함|اسم/iu],
]

/**
 * Finds what each column holds: as `map` says, e.g. `Your name?=Name`, by our own titles, or by a title of a similar
 * meaning whose column also holds such cells. Of several for one field, none is guessed.
 * @throws UserError 'invalid' if `map` names a column or field that does not exist.
 */
export function findColumns(titles: string[], rows: string[][], map: string[]): Columns {
  const known = new Map<string, FieldName | undefined>([
    ...[COUNTED_TITLE, ''].map((title) => [keyOf(title), undefined] as const),
    ...fields.map(({ title, name }) => [keyOf(title), name] as const),
    ...map.map((pair) => fieldOfPair(pair, titles)),
  ])
  const taken = new Set(titles.map((title) => known.get(keyOf(title))))
  const found = titles.map((title, at) => {
    const kind = known.has(keyOf(title)) ? undefined : kindOfColumn(rows.map((row) => row[at] ?? ''))
    const [alike] = recognized.find(([, kinds, words]) => kind && kinds.includes(kind) && words.test(title)) ?? []
    return { title: title.trim(), kind, alike: taken.has(alike) ? undefined : alike }
  })
  const columns = found.map(({ title, alike }) => {
    const isAlone = found.filter((other) => other.alike === alike).length === 1
    const field = known.get(keyOf(title)) ?? (isAlone ? alike : undefined)
    return { title, field, becomes: titleOf(field) }
  })
  const isMissing = (name: FieldName) => !columns.some(({ field }) => field === name)
  const missing = required.filter(isMissing)
  const unclear = found.filter(
    ({ kind, alike }, at) => columns[at]?.field === undefined && (alike ?? (missing.length > 0 && kind)),
  )
  const suggested = new Set<FieldName | undefined>()
  return {
    columns,
    missing: missing.map((name) => titleOf(name) ?? name),
    unclear: unclear.map(({ title, kind, alike }) => {
      const likely = kind && likelyFields[kind]
      const isSought = likely && isMissing(likely) && !unclear.some((other) => other.alike === likely)
      const field = alike ?? (isSought ? likely : undefined)
      // Several are joined only in a name, e.g. first and last.
      const isFree = alike === 'name' || !suggested.has(field)
      suggested.add(field)
      return { title, suggested: (isFree && titleOf(field)) || IGNORE }
    }),
  }
}

const likelyFields: Partial<Record<Kind, FieldName>> = { text: 'name', reply: 'attending', date: 'createdAt' }

/** What most of the cells are that are not empty; undefined if all are. */
function kindOfColumn(cells: string[]): Kind | undefined {
  const filled = cells.filter((cell) => cell.trim() !== '').slice(0, 100)
  const kinds = Array.from(Map.groupBy(filled, kindOf), ([kind, { length }]) => ({ kind, length }))
  return kinds.toSorted((one, other) => other.length - one.length)[0]?.kind
}

function kindOf(cell: string): Kind {
  if (/\S@\S+\.\S/.test(cell)) return 'address'
  if (attendingFrom(cell) !== undefined) return 'reply'
  if (dateOrders.some((order) => readDate(cell, order) !== undefined)) return 'date'
  return /\p{L}/u.test(cell) && !/\p{N}\P{N}*\p{N}\P{N}*\p{N}/u.test(cell) ? 'text' : 'number'
}

/** @throws UserError 'invalid' if a file cannot be read without a word from its owner. */
export function refuseUnclear({ unclear, missing }: Columns): void {
  if (unclear.length === 0 && missing.length === 0) return
  const suggestions = unclear.filter(({ suggested }) => suggested !== IGNORE)
  if (suggestions.length === 0) suggestions.push({ title: 'Your name?', suggested: missing[0] ?? IGNORE })
  const example = suggestions.map(({ title, suggested }) => `--map "${title}=${suggested}"`).join(' ')
  const sentences = [
    missing.length > 0 && `The file has no column for ${missing.join(', ')}.`,
    unclear.length > 0 && `It is not clear what is in ${unclear.map(({ title }) => JSON.stringify(title)).join(', ')}.`,
    `Say it with --map, e.g. ${example}, or =${IGNORE} to leave a column out.`,
  ]
  throw new UserError('invalid', sentences.filter(Boolean).join(' '))
}

/** What `--map` says of a column. */
function fieldOfPair(pair: string, titles: string[]): [string, FieldName | undefined] {
  const [, title = '', wanted = ''] = /^(.*)=([^=]*)$/s.exec(pair) ?? []
  const field = fields.find((each) => keyOf(each.title) === keyOf(wanted))
  if (!titles.some((each) => keyOf(each) === keyOf(title))) {
    const sentence = `there is no column ${JSON.stringify(title)}. Write its title, = and what it is.`
    throw new UserError('invalid', `--map: ${sentence}`)
  }
  if (field === undefined && keyOf(wanted) !== IGNORE)
    throw new UserError('invalid', `--map: give one of ${fieldTitles.join(', ')} or ${IGNORE} after the =.`)
  return [keyOf(title), field?.name]
}

function titleOf(field: FieldName | undefined): string | undefined {
  return fields.find(({ name }) => name === field)?.title
}

/** The same for titles that mean the same. */
function keyOf(title: string): string {
  return title.trim().toLowerCase()
}
