import { type Language, localeOf } from '#db/values/languages.ts'

/** The plural forms of a text, by the CLDR categories of the language. */
type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }
export type Catalogue = Readonly<Record<string, string | Forms>>
/** The language of the church's role names, and their translations into that of the page, by name. */
export type RoleNames = { language: Language; names: Readonly<Record<string, string>> }
/** A language and its texts. English has an empty catalogue, because its texts are the keys. */
export type Texts = { language: Language; catalogue: Catalogue; roles?: RoleNames }

type Placeholder<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never
/** A text with placeholders needs their values; one without takes none. */
type Values<Name extends string> = [Name] extends [never] ? [] : [Record<Name, string | number>]

let textsOfPage: Texts | undefined

/** The texts of the page in the browser, or of the current request on the server. */
export let currentTexts = (): Texts => {
  textsOfPage ??= readTexts()
  return textsOfPage
}

export function setCurrentTexts(current: () => Texts): void {
  currentTexts = current
}

/** The text in the current language, or in English if there is no translation. */
export function t<Text extends string>(text: Text, ...[values]: Values<Placeholder<Text>>): string {
  return fillIn(`${currentTexts().catalogue[text] || text}`, values)
}

/** The form of a text for a number, which replaces `{count}`. The catalogue has the forms under the key `other`. */
export function plural<Other extends string>(
  count: number,
  one: string,
  other: Other,
  ...[values]: Values<Exclude<Placeholder<Other>, 'count'>>
): string {
  const forms = currentTexts().catalogue[other] ?? { one, other }
  const form = typeof forms === 'string' ? forms : forms[new Intl.PluralRules(locale()).select(count)]
  return fillIn(form ?? other, { ...values, count: count.toLocaleString(locale()) })
}

export function locale(): string {
  return localeOf(currentTexts().language)
}

/** The name of a role, translated into the language of the page if possible. */
export function roleName(name: string): string {
  return translatedRole(name) ?? name
}

/** The language of a role's name that is not translated; undefined if it is English or translated. */
export function roleLanguage(name: string): Language | undefined {
  return translatedRole(name) === undefined ? currentTexts().roles?.language : undefined
}

function translatedRole(name: string): string | undefined {
  const { names = {} } = currentTexts().roles ?? {}
  // A role may be named like a property of all objects, e.g. `constructor`.
  return Object.hasOwn(names, name) ? names[name] : undefined
}

/** The name of a language within a sentence, e.g. `Spanish`. */
export function languageName(language: Language): string {
  return new Intl.DisplayNames(locale(), { type: 'language' }).of(language) ?? language
}

/** A text as the beginning of a sentence: many languages write names of days and languages in lower case. */
export function capitalized(text: string): string {
  return text.charAt(0).toLocaleUpperCase(locale()) + text.slice(1)
}

export function fillIn(text: string, values: Record<string, string | number> = {}): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = `${values[name] ?? placeholder}`
    // Unicode's isolates separate the direction of the value from that of the text around it.
    return currentTexts().language === 'ar' || /[\u0590-\u08ff]/.test(value) ? `\u2068${value}\u2069` : value
  })
}

/** The page contains the texts of its language. */
function readTexts(): Texts {
  const root = globalThis.document?.documentElement
  const language = (root?.lang || 'en') as Language
  const json = root?.querySelector('#texts')?.textContent ?? '{}'
  return { language, catalogue: {}, ...JSON.parse(json) }
}
