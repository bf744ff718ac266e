// Keeps the catalogues of site/texts in step with the texts in the source: `t('…')`, `plural(count, '…', '…')`, and
// those of db and the server in site/texts/said.json.
//
// Usage: npm run texts. It adds missing entries without a translation, and removes unused ones. With `--check` it
// changes nothing and fails if an entry is missing, unused, empty, in the wrong part, or has other placeholders than
// its text.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './local-node.mjs'
import { Failure, finish } from './run.mjs'

const LANGUAGES = ['es', 'fr', 'pt', 'de', 'ko', 'ar']

/** Faults printed of each catalogue: one is often repeated in all of it. */
const SHOWN = 10

/** A text that several parts use is in the first of them. */
const PARTS = ['visitors', 'administration', 'server']
/** A string literal as Biome writes it. */
const LITERAL = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\$]|\\.)*)`/.source
const TEXT = new RegExp(`\\bt\\(\\s*(?:${LITERAL})`, 'g')
const PLURAL = new RegExp(`\\bplural\\(\\s*[^,'"]+,\\s*(?:${LITERAL}),\\s*(?:${LITERAL})`, 'g')
/** A sentence with elements in it: its placeholders are slots. */
const SENTENCE = /<Sentence\s+text="([^"]*)"/g
/** Evaluated when its module loads, before the language is known. */
const TOO_EARLY = /^(?:export )?const \w+(?:: [^=]+)? = (?!.*=>).*\b(?:t|plural)\(/m
/** The sentences of db and the server that the site shows. */
const SAID = 'site/texts/said.json'
/** Files whose texts only the administration needs. */
const ADMINISTRATION =
  /^site\/(islands|stores)\/admin|^site\/islands\/AdminTabs|^site\/islands\/event-card\/(parts|ContradictionNote|EditorNotes)/
const BROWSER = /^site\/(islands|stores|lib|ui|texts)\//

if (process.argv[1] === import.meta.filename) finish(main)

function main() {
  const { texts, faults } = findTexts(root)
  for (const language of LANGUAGES) {
    const file = join(root, 'site/texts', `${language}.json`)
    const catalogue = JSON.parse(readFileSync(file, 'utf8'))
    if (!process.argv.includes('--check')) {
      const followed = follow(catalogue, texts, language)
      writeFileSync(file, `${JSON.stringify(followed, null, 2)}\n`)
    }
    const found = findFaults(JSON.parse(readFileSync(file, 'utf8')), texts, language)
    faults.push(...found.slice(0, SHOWN).map((fault) => `site/texts/${language}.json: ${fault}`))
    if (found.length > SHOWN) faults.push(`site/texts/${language}.json: and ${found.length - SHOWN} more`)
  }
  if (faults.length > 0) throw new Failure(faults.join('\n'))
}

/**
 * @internal All texts of the site: for each the part of the catalogue it belongs to, and whether its form depends on a number.
 * @returns {{ texts: Map<string, { part: string, counts: boolean }>, faults: string[] }}
 */
export function findTexts(root) {
  const texts = new Map()
  const faults = []
  for (const name of readdirSync(join(root, 'site'), { recursive: true }).sort()) {
    const file = join('site', name)
    if (!/\.(ts|tsx|astro)$/.test(file) || /\.(test|spec)\.|^site\/(e2e|scenarios)\//.test(file)) continue
    const source = readFileSync(join(root, file), 'utf8')
    const part = partOf(file)
    for (const [, ...quoted] of source.matchAll(TEXT)) add(textOf(quoted), part, false)
    for (const [, text] of source.matchAll(SENTENCE)) add(text, part, false)
    for (const [, ...quoted] of source.matchAll(PLURAL)) add(textOf(quoted.slice(3)), part, true)
    if (!file.endsWith('.astro') && TOO_EARLY.test(source))
      faults.push(`${file}: t() at the top level speaks no one's language. Call it in a function.`)
  }
  for (const [part, said] of Object.entries(textsSaid(root, faults)))
    for (const text of said) add(text, part, text.startsWith('{count} '))
  return { texts, faults }

  /** A text that several parts use goes to the first of them, so that browsers get it once. */
  function add(text, part, counts) {
    const known = texts.get(text)
    const first = known && PARTS.indexOf(known.part) < PARTS.indexOf(part) ? known.part : part
    texts.set(text, { part: first, counts: counts || known?.counts === true })
  }
}

function partOf(file) {
  if (file.endsWith('.astro') || !BROWSER.test(file)) return 'server'
  return ADMINISTRATION.test(file) ? 'administration' : 'visitors'
}

function textOf(quoted) {
  const literal = quoted.find((each) => each !== undefined) ?? ''
  return literal.replace(/\\(.)/g, '$1')
}

/** The texts of said.json. They must be sentences in db or the server, with placeholders for expressions. */
function textsSaid(root, faults) {
  const said = JSON.parse(readFileSync(join(root, SAID), 'utf8'))
  const known = new Set(['db', 'site'].flatMap((folder) => sentencesIn(join(root, folder))))
  for (const text of Object.values(said).flat()) {
    if (!known.has(withoutNames(text))) faults.push(`${SAID}: neither db nor the site says: ${text}`)
  }
  return said
}

function sentencesIn(folder) {
  const files = readdirSync(folder, { recursive: true }).filter((name) => /(?<!\.test)\.ts$/.test(name))
  return files.flatMap((name) => {
    const source = readFileSync(join(folder, name), 'utf8')
    const literals = source.matchAll(new RegExp(`${LITERAL}|\`((?:[^\`\\\\]|\\\\.)*)\``, 'g'))
    return Array.from(literals, ([, ...quoted]) => withoutNames(textOf(quoted).replace(/\$\{[^}]*\}/g, '{}')))
  })
}

function withoutNames(text) {
  return text.replace(/\{\w*\}/g, '{}')
}

/** The catalogue with an entry for each text, in order; what was translated stays. @internal */
export function follow(catalogue, texts, language) {
  const translated = Object.assign({}, ...PARTS.map((part) => catalogue[part]))
  const followed = {}
  for (const part of PARTS) {
    const own = [...texts].filter(([, text]) => text.part === part).sort(([one], [other]) => (one < other ? -1 : 1))
    followed[part] = Object.fromEntries(
      own.map(([text, { counts }]) => [text, entryOf(translated[text], counts, language)]),
    )
  }
  return followed
}

function entryOf(translated, counts, language) {
  if (counts && (translated === undefined || typeof translated === 'string'))
    return Object.fromEntries(formsOf(language).map((form) => [form, '']))
  return translated ?? ''
}

/** What is wrong with a catalogue, as sentences. @internal */
export function findFaults(catalogue, texts, language) {
  const faults = []
  for (const part of PARTS) {
    const entries = catalogue[part] ?? {}
    for (const [text, entry] of Object.entries(entries)) {
      const known = texts.get(text)
      if (known?.part !== part) faults.push(`unused in "${part}": ${text}`)
      else faults.push(...faultsOf(text, entry, known.counts, language))
    }
    for (const [text, known] of texts) if (known.part === part && !(text in entries)) faults.push(`missing: ${text}`)
  }
  return Array.from(new Set(faults))
}

function faultsOf(text, entry, counts, language) {
  if (!counts) return typeof entry === 'string' ? faultsOfText(text, entry) : [`must be one text: ${text}`]
  const forms = formsOf(language)
  if (typeof entry !== 'object' || Object.keys(entry).sort().join() !== [...forms].sort().join())
    return [`must have the forms ${forms.join(', ')}: ${text}`]
  return forms.flatMap((form) => faultsOfText(text, entry[form], form === 'other' ? [] : ['{count}']))
}

/** `optional` placeholders may be missing: the singular may write the number as a word. */
function faultsOfText(text, entry, optional = []) {
  if (entry.trim() === '') return [`not translated: ${text}`]
  const [wanted, found] = [placeholdersOf(text), placeholdersOf(entry)]
  const missing = wanted.filter((name) => !found.includes(name) && !optional.includes(name))
  const unknown = found.filter((name) => !wanted.includes(name))
  if (missing.length + unknown.length === 0) return []
  return [`has other placeholders (${[...missing, ...unknown].join(', ')}): ${text}`]
}

function placeholdersOf(text) {
  return text.match(/\{\w+\}/g) ?? []
}

/** The plural forms of whole numbers (CLDR), without the one that Spanish, French and Portuguese have for millions. */
function formsOf(language) {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
  return pluralCategories.filter((form) => form !== 'many' || language === 'ar')
}
