// Compares all scripts and styles of the built site with the oldest browsers that may use it, by MDN's data on what each
// browser can do, and by esbuild, which knows what it would have to write in another way.
//
// Prints what one of them lacks, and ends with exit code 1 if there is any. Three ways out: another way to write
// it, a question first (`@supports`, `?.()`), or a line in `allowed` on what happens without it.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import mdn from '@mdn/browser-compat-data' with { type: 'json' }
import { parse } from 'acorn'
import { generate, parse as parseStyle, walk } from 'css-tree'
import { transform } from 'esbuild'
import { root } from './local-node.mjs'
import { oldest, targets } from './oldest-browsers.mjs'
import { Failure, finish } from './run.mjs'
import { startBuiltServer } from './testing/built-server.mjs'

const allowed = {
  '.requestSubmit': 'Only the administration calls it, which wants iOS 16.4.',
  '.startViewTransition': 'React calls it for a component that we do not use.',
  navigation: 'React asks first.',
  'Error.captureStackTrace': 'Zod asks first.',
  '@container': 'Cards of every width are laid out for those of medium width.',
  'container-type': 'See @container.',
  '@media (forced-colors)': 'Apple has no forced colors.',
  '@page': 'Sheets are printed with the margins of the browser, and upright.',
  '@view-transition': 'Pages replace each other without a fade.',
  ':view-transition-old': 'See @view-transition.',
  ':view-transition-new': 'See @view-transition.',
  'contain-intrinsic-block-size': 'See content-visibility.',
  'content-visibility': 'A long list is drawn at once.',
  'field-sizing': 'A rule makes text areas higher instead.',
  'hyphenate-limit-chars': 'Short words are hyphenated as well.',
  'overscroll-behavior': 'The page scrolls on at the end of a dialog or a table.',
  'text-wrap': 'The last line of a text may be short.',
}

const { api, css, javascript } = mdn
const builtins = { ...javascript.builtins, ...javascript.builtins.Intl }
const globals = { ...api.Window, ...api, ...builtins }
/** What a method may belong to if a script does not say it. */
const owners = Object.entries({ ...builtins, ...api }).filter(
  ([name]) => name in builtins || /^(Document|\w*Element|EventTarget|Node|Re(quest|sponse))$/.test(name),
)
const lengths = Object.values(css.types.length).map(({ __compat }) => __compat ?? {})
/** esbuild writes them in another way for all browsers that lack the newest scripts. */
const syntax = { format: 'esm', supported: { 'regexp-unicode-property-escapes': true } }

if (process.argv[1] === import.meta.filename) finish(main)

async function main() {
  await using server = await startBuiltServer()
  const pages = new Map()
  for (const page of ['/', '/share', '/privacy', '/nope', '/admin', '/admin/sheet'])
    pages.set(page, await (await fetch(server.url + page)).text())
  const ofVisitors = ['/', '/share', '/privacy', '/nope'].map((page) => pages.get(page)).join()

  const client = join(root, 'dist', 'client')
  const findings = []
  for (const file of globSync('**/*.{css,js}', { cwd: client })) {
    const code = readFileSync(join(client, file), 'utf8')
    const browsers = ofVisitors.includes(file) ? oldest.visitors : oldest.administration
    const found = file.endsWith('.js') ? await newerInScript(code) : oldestStyle(code, browsers).found
    findings.push(...found.map((what) => ({ file, what })))
  }
  for (const [file, page] of pages) {
    for (const [, code] of page.matchAll(/<script(?: type="module")?>(.+?)<\/script>/gs))
      findings.push(...(await newerInScript(code)).map((what) => ({ file, what })))
  }
  const lines = findings.filter(({ what }) => !(what in allowed)).map(({ file, what }) => `${file}: ${what}`)
  if (lines.length > 0) throw new Failure(`${lines.join('\n')}\n${lines.length} findings; see scripts/browsers.mjs.`)
}

/**
 * Whether one of these browsers lacks a feature, as MDN knows it. `today` ignores those that lack it to this day.
 */
function isMissing(compat, { ios, ...browsers } = oldest.visitors, { today = false } = {}) {
  if (compat === undefined) return false
  return Object.entries({ ...browsers, chrome_android: browsers.chrome, safari_ios: ios }).some(([name, version]) => {
    const plain = [compat.support[name] ?? []].flat().filter(({ flags, prefix }) => !flags && !prefix)
    const added = plain.map((since) => Number.parseFloat(String(since.version_added).replace('≤', '')))
    return !added.some((from) => from <= version) && (!today || added.some((from) => from > version))
  })
}

/** @internal Objects of the language or of a page, each with the name of what the oldest browsers lack in it. */
export function missingMembers() {
  const all = Object.entries({ window: globals, ...builtins, ...api })
  return all.flatMap(([owner, members]) =>
    Object.keys(members).flatMap((name) => (isMissing(members[name].__compat) ? [[owner, name]] : [])),
  )
}

/** @internal */
export async function newerInScript(code) {
  const found = new Set()
  const nodes = []
  const collect = (node, parent) => {
    nodes.push([node, parent])
    for (const child of Object.values(node).flat()) if (typeof child?.type === 'string') collect(child, node)
  }
  collect(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }), {})
  const own = new Set(nodes.map(([node]) => node.key?.name ?? node.left?.property?.name))

  for (const [node, parent] of nodes) {
    const isUsed = parent.callee === node || (parent.type === 'MemberExpression' && parent.object === node)
    if (node.type === 'Identifier' && isUsed && isMissing(globals[node.name]?.__compat)) found.add(node.name)
    if (node.type === 'MemberExpression' && !node.computed && !isAsked(node, parent)) {
      const owner = node.object.name ?? node.object.property?.name ?? ''
      const { name } = node.property
      const isMethod = parent.callee === node && !own.has(name)
      if (isMissingMember(owner, name, isMethod)) found.add(`${owner in globals ? owner : ''}.${name}`)
    }
    // Also in a text, of which a regular expression may be made.
    const isBehind = /\(\?<[=!]/.test(node.value?.raw ?? node.raw ?? '')
    if (isBehind && isMissing(javascript.regular_expressions.lookbehind_assertion.__compat)) found.add('look-behind')
  }

  const written = await transform(code, { ...syntax, target: 'esnext' })
  const rewritten = await transform(code, { ...syntax, target: targets })
  const known = new Set(written.code.split('\n'))
  const other = rewritten.code.split('\n').find((line) => !known.has(line))
  if (other) found.add(`newer syntax, which esbuild would write as ${other.trim().slice(0, 80)}`)
  return Array.from(found)
}

/** Whether a script asks for a member before it uses it. */
function isAsked(node, parent) {
  return parent.optional || parent.test === node || /^(Binary|Unary)Expression$/.test(parent.type)
}

function isMissingMember(owner, name, isMethod) {
  const known = globals[owner] ?? api[owner.charAt(0).toUpperCase() + owner.slice(1)]
  const member = known?.__compat && (known[`${name}_static`] ?? known[name])?.__compat
  if (member) return isMissing(member)
  const all = isMethod ? owners.flatMap(([, members]) => members[name]?.__compat ?? []) : []
  return all.length > 0 && all.every((compat) => isMissing(compat))
}

/**
 * @internal The style as the oldest browsers read it: each drops a rule, a declaration or a query that it cannot read.
 * What another declaration stands in for, or `@supports` asks for, is no finding.
 */
export function oldestStyle(code, browsers = oldest.visitors) {
  const found = new Set()
  const tree = parseStyle(code, { parseCustomProperty: true })
  walk(tree, {
    visit: 'Atrule',
    leave({ name, prelude, block }, item, list) {
      if (name !== 'supports' || newerParts(prelude, browsers).length === 0) return
      if (generate(prelude).startsWith('not')) list.replace(item, block.children)
      else list.remove(item)
    },
  })
  walk(tree, (node, item, list) => {
    if (!list || !['Atrule', 'Declaration', 'Rule'].includes(node.type)) return undefined
    const newer = newerParts(node.type === 'Declaration' ? node : node.prelude, browsers)
    const isNewer = node.type === 'Atrule' && isMissing(css['at-rules'][node.name]?.__compat, browsers, { today: true })
    if (isNewer) newer.push(`@${node.name}`)
    if (newer.length === 0) return undefined
    const standsIn = ({ property }) => property === node.property || property === `-webkit-${node.property}`
    if (node.type !== 'Declaration' || !list.some((other) => other !== node && standsIn(other)))
      for (const what of newer) found.add(what)
    list.remove(item)
    return walk.skip
  })
  return { style: generate(tree), found: Array.from(found) }
}

/** What these browsers cannot read in a prelude or a declaration. */
function newerParts(tree, browsers) {
  const newer = []
  const check = (what, compat) => isMissing(compat, browsers, { today: true }) && newer.push(what)
  walk(tree ?? { type: 'Raw' }, function visit(node) {
    const { name, type } = node
    const property = this.declaration?.property ?? ''
    if (type === 'Declaration') check(node.property, css.properties[node.property]?.__compat)
    if (type === 'Identifier' || type === 'Function') {
      const { __compat, [name]: value } = css.properties[property] ?? {}
      if (!isMissing(__compat, browsers)) check(`${property}: ${name}`, value?.__compat)
    }
    if (type === 'Function') for (const kind of Object.values(css.types)) check(`${name}()`, kind[name]?.__compat)
    if (type === 'Dimension')
      check(
        node.unit,
        lengths.find(({ description }) => description?.includes(`>${node.unit}<`)),
      )
    if (/^Pseudo(Class|Element)Selector$/.test(type)) check(`:${name}`, css.selectors[name]?.__compat)
    if (type === 'NestingSelector') check('nesting', css.selectors.nesting.__compat)
    if (type === 'Feature') check(`@media (${name})`, css['at-rules'].media[name]?.__compat)
    if (type === 'FeatureRange' && node.kind === 'media') check('range', css['at-rules'].media.range_syntax.__compat)
  })
  return newer
}
