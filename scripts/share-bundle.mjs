// Lists the built JavaScript files that /share loads before any interaction; .size-limit.mjs measures them.
//
// It requests the page from the built site and follows the static imports of every script on it. Dynamic imports, e.g. the
// toast, load after an interaction and do not count.
import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { JSDOM } from 'jsdom'
import ts from 'typescript'
import { root } from './local-node.mjs'
import { Failure } from './run.mjs'
import { startBuiltServer } from './testing/built-server.mjs'

const client = join(root, 'dist', 'client')

/** What React 19 with one trivial island weighs here, gzip: no page goes below that without leaving React. */
export const TRIVIAL_ISLAND_KB = 69.0

/** Paths relative to the project, as size-limit expects them. */
export async function shareBundle() {
  const server = await startBuiltServer()
  try {
    const page = await fetch(`${server.url}/share`)
    if (page.status !== 200) throw new Failure(`/share replied ${page.status} instead of 200.`)
    const files = follow(scriptsOf(await page.text()))
    if (files.length === 0) throw new Failure('/share loads no JavaScript at all: the list of its files must be wrong.')
    return files.map((file) => `dist/client${file}`)
  } finally {
    await server.stop()
  }
}

function follow(addresses) {
  const found = new Set()
  const waiting = addresses.map((address) => resolve(address, '/'))
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    if (found.has(file)) continue
    found.add(file)
    const code = readFileSync(join(client, file), 'utf8')
    waiting.push(...staticImports(code).map((path) => resolve(path, posix.dirname(file))))
  }
  return [...found].sort()
}

function resolve(address, folder) {
  if (/^([a-z]+:)?\/\//i.test(address)) throw new Failure(`/share loads ${address} from another site.`)
  return posix.resolve(folder, address.split(/[?#]/)[0])
}

/** The addresses of all scripts that a page loads: tags, preloads, islands, and imports of inline scripts. @internal */
export function scriptsOf(html) {
  const { document } = new JSDOM(html).window
  const valuesOf = (name) => Array.from(document.querySelectorAll(`[${name}]`), (tag) => tag.getAttribute(name))
  return [
    ...['component-url', 'renderer-url', 'before-hydration-url'].flatMap(valuesOf),
    ...Array.from(document.querySelectorAll('link[rel=modulepreload]'), (tag) => tag.getAttribute('href')),
    ...Array.from(document.scripts).flatMap((tag) => tag.getAttribute('src') ?? staticImports(tag.textContent)),
  ].filter(Boolean)
}

/** The modules that load together with this code, without dynamic imports. @internal */
export function staticImports(code) {
  const { statements } = ts.createSourceFile('chunk.js', code, ts.ScriptTarget.Latest)
  return statements
    .filter((statement) => ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement))
    .map((statement) => statement.moduleSpecifier?.text)
    .filter((path) => path !== undefined)
}
