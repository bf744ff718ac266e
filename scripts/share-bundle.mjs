// Lists the built JavaScript files that /share loads before any interaction; .size-limit.mjs measures them.
//
// It requests the page from the built site and follows the static imports of every script on it. Dynamic imports, e.g. the
// toast, load after an interaction and do not count.
import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { root } from './local-node.mjs'
import { Failure } from './run.mjs'
import { startBuiltServer } from './testing/built-server.mjs'

/** In a page the scripts of tags, preloads and islands; in a script, also an inline one, its imports. */
const LOADED =
  /(?:\b(?:import|from) ?|\b(?:src|component-url|renderer-url|before-hydration-url)=|\brel="modulepreload" href=)"([^"]+\.js)"/g

/** Paths relative to the project, as size-limit expects them. */
export async function shareBundle() {
  const server = await startBuiltServer()
  try {
    const page = await fetch(`${server.url}/share`)
    if (page.status !== 200) throw new Failure(`/share replied ${page.status} instead of 200.`)
    const found = new Set()
    follow(await page.text(), '/', found)
    if (found.size === 0) throw new Failure('/share loads no JavaScript at all: the list of its files must be wrong.')
    return [...found].sort()
  } finally {
    await server.stop()
  }
}

function follow(text, folder, found) {
  for (const address of scriptsIn(text)) {
    const file = posix.resolve(folder, address)
    const path = `dist/client${file}`
    if (found.has(path)) continue
    found.add(path)
    follow(readFileSync(join(root, path), 'utf8'), posix.dirname(file), found)
  }
}

/** @internal */
export function scriptsIn(text) {
  return Array.from(text.matchAll(LOADED), ([, address]) => address)
}
