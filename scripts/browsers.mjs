// Compares the built scripts and styles with the oldest browsers that may use the site, by MDN's data on what each can do;
// the build has already rewritten newer syntax. Three ways out of a finding: another way to write it, a question first
// (`@supports`, `?.()`), or a word in `allowed`.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import mdn from '@mdn/browser-compat-data' with { type: 'json' }
import { generate, parse, walk } from 'css-tree'
import { root } from './local-node.mjs'
import { oldest } from './oldest-browsers.mjs'
import { Failure, finish } from './run.mjs'

/** Features that libraries test for first or never use here, and those that only change how a page looks. */
const allowed = `.requestSubmit .startViewTransition navigation Error.captureStackTrace @container container-type
  forced-colors @page content-visibility field-sizing hyphenate-limit-chars overscroll-behavior text-wrap`.split(/\s+/)
const { api, css, javascript } = mdn
const builtins = { ...javascript.builtins, ...javascript.builtins.Intl }
const globals = { ...api.Window, ...api, ...builtins }
/** The objects that a method may belong to where a script does not name the object. */
const owners = Object.entries({ ...builtins, ...api }).filter(
  ([name]) => name in builtins || /^(Document|\w*Element|EventTarget|Node|Re(quest|sponse))$/.test(name),
)
const { viewport_percentage_units_dynamic: dynamicUnits } = css.types.length
const DYNAMIC = /^[dls]v/
const USE =
  /(typeof |!|\.|if ?\()?(?:\b(\w+)\??)?\.([a-z]\w*)(\(|\?\.|&&|\|\||\?|[=!]=)?|(?<![\w$.'"]|typeof )\b([a-z]\w+)(?=[.(])/gi

if (process.argv[1] === import.meta.filename) finish(main)

function main() {
  const lines = globSync(join(root, 'dist/client/**/*.{css,js}')).flatMap((file) => {
    const code = readFileSync(file, 'utf8')
    const browsers = /(administration|poster|sheet)\.[^/]+$/.test(file) ? oldest.administration : oldest.visitors
    const found = file.endsWith('.js') ? newerInScript(code) : newerInStyle(code, browsers)
    return found.filter((what) => !allowed.includes(what)).map((what) => `${file}: ${what}`)
  })
  if (lines.length > 0) throw new Failure(`${lines.join('\n')}\n${lines.length} findings; see scripts/browsers.mjs.`)
}

/** Whether one of these browsers lacks a feature. `today` ignores those that lack it to this day. */
function isMissing(compat, { ios, ...browsers } = oldest.visitors, today = false) {
  return Object.entries({ ...browsers, chrome_android: browsers.chrome, safari_ios: ios }).some(([name, version]) => {
    const plain = [compat?.support[name] ?? []].flat().filter(({ flags, prefix }) => !flags && !prefix)
    const added = plain.map((since) => Number.parseFloat(String(since.version_added).replace('≤', '')))
    return compat && !added.some((from) => from <= version) && (!today || added.some((from) => from > version))
  })
}

/** @internal Objects of the language or of a page, each with the name of what the oldest browsers lack in it. */
export function missingMembers() {
  return Object.entries({ window: globals, ...builtins, ...api }).flatMap(([owner, members]) =>
    Object.keys(members).flatMap((name) => (isMissing(members[name].__compat) ? [[owner, name]] : [])),
  )
}

/** @internal */
export function newerInScript(code) {
  const found = new Set(/\(\?<[=!]/.test(code) ? ['look-behind'] : [])
  const isOwn = (name) => new RegExp(`\\b${name}(=[^=]|:|\\([\\w$,]*\\) ?\\{)`).test(code)
  for (const [, before = '', owner = '', member, after = '', name] of code.matchAll(USE)) {
    if (name && isMissing(globals[name]?.__compat) && !isOwn(name)) found.add(name)
    if (!member || /^(typeof |!|if ?\()$/.test(before) || /^(\?|&&|\|\||[=!]=)/.test(after)) continue
    const known = globals[owner] ?? api[owner.charAt(0).toUpperCase() + owner.slice(1)]
    const own = known?.__compat && (known[`${member}_static`] ?? known[member])?.__compat
    const all = after === '(' ? owners.flatMap(([, members]) => members[member]?.__compat ?? []) : []
    const isNewer = own ? isMissing(own) : all.length > 0 && all.every((compat) => isMissing(compat)) && !isOwn(member)
    if (isNewer) found.add(`${owner in globals ? owner : ''}.${member}`)
  }
  return Array.from(found)
}

/** @internal A declaration with a fallback, or within `@supports`, is no finding. */
export function newerInStyle(code, browsers = oldest.visitors) {
  const found = new Set()
  const check = (what, compat) => isMissing(compat, browsers, true) && found.add(what)
  walk(parse(code, { parseCustomProperty: true }), function visit(node, _, list) {
    const { name, property, type } = node
    const standsIn = (other) => other !== node && [property, `-webkit-${property}`].includes(other.property)
    if (name === 'supports' || (type === 'Declaration' && list?.some(standsIn))) return walk.skip
    // A rule with an unknown selector is left out: fine, unless another of its selectors is known.
    if (type === 'SelectorList' && node.children.toArray().every((one) => generate(one).includes(':has(')))
      return walk.skip
    const { __compat, ...values } = css.properties[this.declaration?.property] ?? {}
    if (type === 'Atrule' && check(`@${name}`, css['at-rules'][name]?.__compat)) return walk.skip
    if (type === 'Declaration') check(property, css.properties[property]?.__compat)
    if (/^(Identifier|Function)$/.test(type) && !isMissing(__compat, browsers))
      check(`${this.declaration?.property}: ${name}`, values[name]?.__compat)
    if (type === 'Function') for (const kind of Object.values(css.types)) check(`${name}()`, kind[name]?.__compat)
    if (type === 'Dimension' && DYNAMIC.test(node.unit)) check(node.unit, dynamicUnits.__compat)
    if (/^Pseudo(Class|Element)Selector$/.test(type)) check(`:${name}`, css.selectors[name]?.__compat)
    if (type === 'NestingSelector') check('nesting', css.selectors.nesting.__compat)
    if (type === 'Feature') check(name, css['at-rules'].media[name]?.__compat)
    if (type === 'FeatureRange' && node.kind === 'media') check('range', css['at-rules'].media.range_syntax.__compat)
    return undefined
  })
  return Array.from(found)
}
