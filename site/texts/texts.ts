import type { Language } from '#db/language/languages.ts'

/** The forms of a text by the number in it: those of CLDR that the language has. */
type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }
/** Translations by their English texts. */
export type Catalogue = Readonly<Record<string, string | Forms>>
/** In which language the church has named its roles, and what it calls them in that of the page, by those names. */
export type RoleNames = { language: Language; names: Readonly<Record<string, string>> }
/** A language with what is said in it. English has an empty catalogue: its texts are the keys. Roles that are named in it need no names. */
export type Spoken = { language: Language; catalogue: Catalogue; roles?: RoleNames }

export type Placeholder<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never
/** A text with placeholders needs their values; one without takes none. */
export type Values<Name extends string> = [Name] extends [never] ? [] : [Record<Name, string | number>]

let page: Spoken | undefined

/** What is spoken: in the browser the language of its page, on the server that of each request. */
export let inUse = (): Spoken => {
  page ??= readPage()
  return page
}

export function speak(current: () => Spoken): void {
  inUse = current
}

/** The text in the language that is spoken; what its catalogue does not have stays English. */
export function t<Text extends string>(text: Text, ...[values]: Values<Placeholder<Text>>): string {
  return fillIn(`${inUse().catalogue[text] || text}`, values)
}

export function fillIn(text: string, values: Record<string, string | number> = {}): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => isolated(`${values[name] ?? placeholder}`))
}

/** What is filled in runs as its own letters do: Unicode's isolates keep one direction from turning the other around. */
function isolated(value: string): string {
  return inUse().language === 'ar' || /[\u0590-\u08ff]/.test(value) ? `\u2068${value}\u2069` : value
}

/** The page carries the catalogue of its language, so that nothing has to be loaded first. */
function readPage(): Spoken {
  const root = globalThis.document?.documentElement
  const language = (root?.lang || 'en') as Language
  const carried = root?.querySelector('#texts')?.textContent ?? '{}'
  return { language, catalogue: {}, ...JSON.parse(carried) }
}
