import { UserError } from '#db/errors.ts'
import { readWrittenDate } from '#db/values/written-dates.ts'
import { COUNTED_TITLE } from './csv.ts'
import { type FieldName, fieldsIn } from './fields.ts'
import { attendingFrom } from './read-texts.ts'

/** A column of a file, and the field that it becomes, with our title of it. A column without a field is ignored. */
export type Column = { title: string; field: FieldName | undefined; becomes: string | undefined }

/** `unclear` are titles of columns that could be several things, `missing` those of fields that must be found. */
export type Columns = { columns: Column[]; unclear: string[]; missing: string[] }

/** What leaves out a column in `--map`. */
export const IGNORE = 'ignore'

const fields = fieldsIn('csv')
export const fieldTitles = fields.map(({ title }) => title)
const required: FieldName[] = ['name', 'attending']

type Recognized = { field: FieldName; title: RegExp; holds: (cell: string) => boolean }

/** How lists of other programs, e.g. Google Forms, name a column in the languages of the site, and what is in it. */
const recognized: Recognized[] = [
  {
    field: 'email',
    title: /e-?mail|correo|courriel|이메일|بريد/iu,
    holds: (cell) => /\S@\S+\.\S/.test(cell),
  },
  {
    field: 'phone',
    title: /phone|mobile|\bcell|tel[eé]f|\btel\b|handy|전화|휴대|هاتف|جوال/iu,
    holds: (cell) => /\d\D*\d\D*\d/.test(cell) && !cell.includes('@'),
  },
  {
    field: 'familyMembers',
    title: /family (?!name)|famil(y$|ia|le$)|gue.ts?|familie|begleit|acompa|accompagn|invit|가족|동반|عائلة|مرافق/iu,
    holds: (cell) => /\p{L}/u.test(cell) && attendingFrom(cell) === undefined,
  },
  {
    field: 'attending',
    title:
      /\bcom(e|ing)\b|attend|status|rsvp|join|komm|teil|dabei|asist|vendr|viens|venir|virá|particip|présen|참석|حضور/iu,
    holds: (cell) => attendingFrom(cell) !== undefined,
  },
  {
    field: 'createdAt',
    title:
      /^(date|time ?stamp|completion time|zeitstempel|datum|marca temporal|fecha|horodateur|carimbo.*|data|타임스탬프|.*طابع.*)$/iu,
    holds: (cell) =>
      readWrittenDate(cell, 'day-first') !== undefined || readWrittenDate(cell, 'month-first') !== undefined,
  },
  {
    field: 'message',
    title:
      /message|comment|\bnotes?\b|nachricht|bemerk|anmerk|kommentar|mensa[jg]|comentario|comentário|메시지|رسالة/iu,
    holds: (cell) => cell !== '',
  },
  {
    field: 'name',
    title: /\bname|name$|nombre|\bnom\b|\bnome\b|이름|성함|الاسم/iu,
    holds: (cell) => /\p{L}/u.test(cell) && !cell.includes('@') && attendingFrom(cell) === undefined,
  },
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
    const cells = rows.map((row) => row[at]?.trim() ?? '').filter((cell) => cell !== '')
    const isDecided = known.has(keyOf(title))
    const alike = recognized.find(
      (each) => each.title.test(title) && cells.length > 0 && cells.filter(each.holds).length * 2 >= cells.length,
    )?.field
    const isEmpty = isDecided || cells.length === 0
    return { title: title.trim(), isEmpty, alike: isDecided || taken.has(alike) ? undefined : alike }
  })
  const columns = found.map(({ title, alike }) => {
    const isAlone = found.filter((other) => other.alike === alike).length === 1
    const field = known.get(keyOf(title)) ?? (isAlone ? alike : undefined)
    return { title, field, becomes: fields.find(({ name }) => name === field)?.title }
  })
  const missing = fields.filter(({ name }) => required.includes(name) && !columns.some(({ field }) => field === name))
  const unclear = found.filter(
    ({ isEmpty, alike }, at) =>
      columns[at]?.field === undefined && (alike !== undefined || (missing.length > 0 && !isEmpty)),
  )
  return { columns, unclear: unclear.map(({ title }) => title), missing: missing.map(({ title }) => title) }
}

/** Why a file cannot be read without a word from its owner; undefined if it can. */
export function columnsDoubt({ unclear, missing }: Columns): string | undefined {
  if (unclear.length === 0 && missing.length === 0) return undefined
  const named = unclear.map((title) => JSON.stringify(title)).join(', ')
  return [
    ...(missing.length === 0 ? [] : [`The file has no column for ${missing.join(', ')}.`]),
    ...(unclear.length === 0 ? [] : [`It is not clear what is in ${named}.`]),
    `Say it with --map, e.g. --map "${unclear[0] ?? 'Your name?'}=${missing[0] ?? 'Name'}", or =${IGNORE} to leave a column out.`,
  ].join(' ')
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

/** The same for titles that mean the same. */
function keyOf(title: string): string {
  return title.trim().toLowerCase()
}
