import type { Language } from '#db/language/languages.ts'

/** The forms of a text by the number in it: those of CLDR that the language has. */
type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }
/** Translations by their English texts. */
export type Catalogue = Readonly<Record<string, string | Forms>>
/** A language with what is said in it. English has an empty catalogue: its texts are the keys. */
export type Spoken = { language: Language; catalogue: Catalogue }

export type Placeholder<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never
/** A text with placeholders needs their values; one without takes none. */
export type Values<Name extends string> = [Name] extends [never] ? [] : [Record<Name, string | number>]

let spoken = spokenByPage
let page: Spoken | undefined

/** The server speaks a language with each request; the browser that of its page. */
export function speak(current: () => Spoken): void {
  spoken = current
}

export function inUse(): Spoken {
  return spoken()
}

/** The text in the language that is spoken; what its catalogue does not have stays English. */
export function t<Text extends string>(text: Text, ...[values]: Values<Placeholder<Text>>): string {
  const translated = spoken().catalogue[text] || text
  return fillIn(typeof translated === 'string' ? translated : translated.other, values)
}

export function fillIn(text: string, values: Record<string, string | number> = {}): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => isolated(`${values[name] ?? placeholder}`))
}

/** Among Arabic letters a Latin name or `10:00 AM` keeps its own order (Unicode's first strong isolate). */
function isolated(value: string): string {
  return spoken().language === 'ar' ? `\u2068${value}\u2069` : value
}

function spokenByPage(): Spoken {
  page ??= readPage()
  return page
}

/** The page carries the catalogue of its language, so that nothing has to be loaded first. */
function readPage(): Spoken {
  const { documentElement: root } = globalThis.document ?? {}
  const texts = root?.querySelector('#texts')?.textContent ?? '{}'
  return { language: (root?.lang || 'en') as Language, catalogue: JSON.parse(texts) }
}
