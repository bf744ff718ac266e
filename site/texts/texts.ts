import { type Language, localeOf } from '#db/language/languages.ts'

/** The forms of a text by the number in it: those of CLDR that the language has. */
type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }
/** Translations by their English texts. */
export type Catalogue = Readonly<Record<string, string | Forms>>
/** In which language the church has named its roles, and what it calls them in that of the page, by those names. */
export type RoleNames = { language: Language; names: Readonly<Record<string, string>> }
/** A language with what is said in it. English has an empty catalogue: its texts are the keys. Roles that are named in it need no names. */
export type Spoken = { language: Language; catalogue: Catalogue; roles?: RoleNames }

type Placeholder<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never
/** A text with placeholders needs their values; one without takes none. */
type Values<Name extends string> = [Name] extends [never] ? [] : [Record<Name, string | number>]

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

/** The form of a text that goes with the number, which stands in it as `{count}`; the catalogue has it under `other`. */
export function plural<Other extends string>(
  count: number,
  one: string,
  other: Other,
  ...[values]: Values<Exclude<Placeholder<Other>, 'count'>>
): string {
  const forms = inUse().catalogue[other] ?? { one, other }
  const form = typeof forms === 'string' ? forms : forms[new Intl.PluralRules(locale()).select(count)]
  return fillIn(form ?? other, { ...values, count: count.toLocaleString(locale()) })
}

export function locale(): string {
  return localeOf(inUse().language)
}

/** The name of a role in the language of the page, where there is one. */
export function roleName(name: string): string {
  return translatedRole(name) ?? name
}

/** The language of a name that has no translation, where not all is in English. */
export function roleLanguage(name: string): Language | undefined {
  return translatedRole(name) === undefined ? inUse().roles?.language : undefined
}

/** A role may be called as what every object has, e.g. `constructor`. */
function translatedRole(name: string): string | undefined {
  const { names = {} } = inUse().roles ?? {}
  return Object.hasOwn(names, name) ? names[name] : undefined
}

/** The name of a language as it stands in a sentence, e.g. `Spanish`. */
export function languageName(language: Language): string {
  return new Intl.DisplayNames(locale(), { type: 'language' }).of(language) ?? language
}

/** A text as it stands alone. Names of languages are written small in many of them. */
export function capitalized(text: string): string {
  return text.charAt(0).toLocaleUpperCase(locale()) + text.slice(1)
}

export function fillIn(text: string, values: Record<string, string | number> = {}): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = `${values[name] ?? placeholder}`
    // It runs as its own letters do: Unicode's isolates keep one direction from turning the other around.
    return inUse().language === 'ar' || /[\u0590-\u08ff]/.test(value) ? `\u2068${value}\u2069` : value
  })
}

/** The page carries the catalogue of its language, so that nothing has to be loaded first. */
function readPage(): Spoken {
  const root = globalThis.document?.documentElement
  const language = (root?.lang || 'en') as Language
  const carried = root?.querySelector('#texts')?.textContent ?? '{}'
  return { language, catalogue: {}, ...JSON.parse(carried) }
}
