import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import said from './said.json' with { type: 'json' }

type Entry = string | Record<string, string>
type Parts = { visitors: string[]; administration: string[]; server: string[] }

const root = join(import.meta.dirname, '../..')
const LITERAL = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g
/** `t('…')`, `plural(count, '…', '…')`, of which the last form is the key, and a sentence with elements in it. */
const SAID = /\bt\(\s*(['"`].*)|\bplural\(\s*[^,'"]+,\s*(?:'[^']*'|"[^"]*"),\s*(['"`].*)|<Sentence\s+text=(".*)/g
/** Evaluated when its module loads, before the language is known. */
const TOO_EARLY = /^(?:export )?const \w+(?:: [^=]+)? = (?!.*=>).*\b(?:t|plural)\(/m
const ADMINISTRATION = /^site\/(islands|stores)\/admin|^site\/islands\/(AdminTabs|event-card\/parts)/
const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted()
const literalsIn = (code: string) =>
  Array.from(code.matchAll(LITERAL), (found) => found.slice(1).join('').replace(/\\(.)/g, '$1'))

const files = globSync('{db,site}/**/*.{ts,tsx,astro}', { cwd: root })
  .filter((file) => !/\.(test|spec)\.|^site\/(e2e|scenarios)\//.test(file))
  .map((file) => ({ file, code: readFileSync(join(root, file), 'utf8') }))
const source = files.map(({ code }) => code.replace(/\\(.)/g, '$1')).join('\n')

/** Whether it is written somewhere, perhaps with expressions for its placeholders. */
function isWritten(text: string): boolean {
  if (!text.includes('{')) return source.includes(text)
  const pattern = text.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '\\$?\\{[^}]*\\}')
  return new RegExp(pattern).test(source)
}

/** The texts that a file says itself. */
function saidIn(code: string): string[] {
  return Array.from(code.matchAll(SAID), ([, ...quoted]) => literalsIn(quoted.join(''))[0] ?? '')
}

function catalogueOf(language: string): Record<string, Record<string, Entry>> {
  return JSON.parse(readFileSync(join(root, `site/texts/${language}.json`), 'utf8'))
}

const languages = ['es', 'fr', 'pt', 'de', 'ko', 'ar']

describe.each(languages)('the catalogue of %s', (language) => {
  const catalogue = catalogueOf(language)
  // Spanish, French and Portuguese have one for millions.
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
  const forms = pluralCategories.filter((form) => form !== 'many' || language === 'ar')
  const entries = Object.values(catalogue).flatMap((part) => Object.entries(part))

  it('translates every text, with its placeholders and each plural form', () => {
    const wrong = entries.filter(([text, entry]) => {
      if (typeof entry === 'string') return entry.trim() === '' || `${placeholders(entry)}` !== `${placeholders(text)}`
      const other = placeholders(text).filter((name) => name !== '{count}')
      const lacks = (form: string) => placeholders(entry[form] ?? '').filter((name) => name !== '{count}')
      return forms.some((form) => !entry[form]?.trim() || `${lacks(form)}` !== `${other}`)
    })
    expect(wrong.map(([text]) => text)).toEqual([])
  })

  it('has what each part says, where that part is read', () => {
    const { visitors = {}, administration = {}, server = {} } = catalogue
    const isMissing = (text: string, ...parts: object[]) => !parts.some((part) => Object.hasOwn(part, text))
    const readBy = (file: string) => {
      if (!/^site\/(islands|stores|lib|ui|texts)\/.*\.tsx?$/.test(file)) return [visitors, administration, server]
      return ADMINISTRATION.test(file) ? [visitors, administration] : [visitors]
    }
    const { visitors: toVisitors, administration: toAdministrators, server: byServer }: Parts = said
    const missing = [
      ...files.flatMap(({ file, code }) => saidIn(code).filter((text) => isMissing(text, ...readBy(file)))),
      ...toVisitors.filter((text) => isMissing(text, visitors)),
      ...toAdministrators.filter((text) => isMissing(text, visitors, administration)),
      ...byServer.filter((text) => isMissing(text, visitors, administration, server)),
    ]
    expect(missing).toEqual([])
  })
})

it('has nothing that is said nowhere', () => {
  const texts = languages.flatMap((language) => Object.values(catalogueOf(language)).flatMap(Object.keys))
  expect([...new Set(texts)].filter((text) => !isWritten(text))).toEqual([])
})

it('says nothing before the language is known', () => {
  expect(files.filter(({ file, code }) => /tsx?$/.test(file) && TOO_EARLY.test(code)).map(({ file }) => file)).toEqual(
    [],
  )
})
