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
    title:
      /family (?!name)|famil(y$|ia|le$)|gue.ts?|bring|familie|begleit|acompa|accompagn|invit|가족|동반|عائلة|مرافق/iu,
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
  const mapped = fieldsOfMap(map, titles)
  const own = titles.map((title) => fields.find((field) => isSameTitle(field.title, title))?.name)
  const decided = titles.map((title, at) => mapped.get(title.trim()) ?? own[at])
  const taken = new Set(decided)
  const cellsIn = (at: number) => rows.map((row) => row[at]?.trim() ?? '').filter((cell) => cell !== '')
  const isOpen = titles.map((title, at) => {
    if (decided[at] !== undefined || mapped.has(title.trim())) return false
    return title.trim() !== '' && !isSameTitle(COUNTED_TITLE, title)
  })
  const holdsMostly = (at: number, { holds }: Recognized) => {
    const cells = cellsIn(at)
    return cells.length > 0 && cells.filter(holds).length * 2 >= cells.length
  }
  const alike = titles.map((title, at) => {
    if (!isOpen[at]) return undefined
    const found = recognized.find((each) => each.title.test(title) && holdsMostly(at, each))
    return found === undefined || taken.has(found.field) ? undefined : found.field
  })
  const isAlone = (field: FieldName | undefined) => alike.filter((other) => other === field).length === 1
  const columns = titles.map((title, at) => {
    const field = decided[at] ?? (isAlone(alike[at]) ? alike[at] : undefined)
    return { title: title.trim(), field, becomes: fields.find(({ name }) => name === field)?.title }
  })
  const missing = fields.filter(({ name }) => required.includes(name) && !columns.some(({ field }) => field === name))
  const isUnclear = (at: number) =>
    isOpen[at] &&
    columns[at]?.field === undefined &&
    (alike[at] !== undefined || (missing.length > 0 && cellsIn(at).length > 0))
  return {
    columns,
    unclear: columns.filter((_, at) => isUnclear(at)).map(({ title }) => title),
    missing: missing.map(({ title }) => title),
  }
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

function fieldsOfMap(map: string[], titles: string[]): Map<string, FieldName | undefined> {
  return new Map(
    map.map((pair) => {
      const [, asked = '', wanted = ''] = /^(.*)=([^=]*)$/s.exec(pair) ?? []
      const title = titles.find((each) => isSameTitle(each, asked))
      const field = fields.find((each) => isSameTitle(each.title, wanted))
      if (title === undefined)
        throw new UserError(
          'invalid',
          `--map: there is no column ${JSON.stringify(asked)}. Write its title, = and what it is.`,
        )
      if (field === undefined && wanted.trim() !== IGNORE)
        throw new UserError('invalid', `--map: give one of ${fieldTitles.join(', ')} or ${IGNORE} after the =.`)
      return [title.trim(), field?.name]
    }),
  )
}

function isSameTitle(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase()
}
