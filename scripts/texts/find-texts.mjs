import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A string literal as Biome writes it. */
const LITERAL = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\$]|\\.)*)`/.source
const TEXT = new RegExp(`\\bt\\(\\s*(?:${LITERAL})`, 'g')
const PLURAL = new RegExp(`\\bplural\\(\\s*[^,'"]+,\\s*(?:${LITERAL}),\\s*(?:${LITERAL})`, 'g')
/** A sentence with elements in it: its placeholders are slots. */
const SENTENCE = /<Sentence\s+text="([^"]*)"/g
/** Evaluated when its module is loaded: before anyone says which language. */
const TOO_EARLY = /^(?:export )?const \w+(?:: [^=]+)? = (?!.*=>).*\b(?:t|plural)\(/m
/** The sentences of db and the server that the site shows. */
const SAID = 'site/texts/said.json'
/** Who needs a text, by where it is used. */
const ADMINISTRATION =
  /^site\/(islands|stores)\/admin|^site\/islands\/AdminTabs|^site\/islands\/event-card\/(parts|ContradictionNote)/
const BROWSER = /^site\/(islands|stores|lib|ui|texts)\//

/**
 * All texts of the site: for each the part of the catalogue it belongs to, and whether its form depends on a number.
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

  /** A text that is used in several places belongs to whoever needs the least: the browser gets it once. */
  function add(text, part, counts) {
    const known = texts.get(text)
    const order = ['visitors', 'administration', 'server']
    const first = known && order.indexOf(known.part) < order.indexOf(part) ? known.part : part
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

/** What db and the server say by itself, with placeholders where the source has expressions. */
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
