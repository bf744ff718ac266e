// Measures the built scripts that /share loads before any interaction, compressed: those of its page, and what they import.
// Dynamic imports, e.g. the toast, load after an interaction and do not count.
import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { gzipSync } from 'node:zlib'
import { root } from './local-node.mjs'
import { Failure, finish } from './run.mjs'
import { startBuiltServer } from './testing/built-server.mjs'

const LIMIT = 84_000
/** In a page the scripts of tags, preloads and islands; in a script, also an inline one, its imports. */
const LOADED =
  /(?:\b(?:import|from) ?|\b(?:src|component-url|renderer-url|before-hydration-url)=|\brel="modulepreload" href=)"([^"]+\.js)"/g

if (process.argv[1] === import.meta.filename) finish(main)

async function main() {
  const files = await shareBundle()
  if (files.length === 0) throw new Failure('/share loads no script at all: the list of its files must be wrong.')
  const sizes = files.map((file) => gzipSync(readFileSync(join(root, file)), { level: 9 }).length)
  const total = sizes.reduce((sum, size) => sum + size)
  const lines = files.map((file, place) => `${sizes[place]} ${file}`)
  if (total > LIMIT) throw new Failure(`${lines.join('\n')}\n${total} bytes, and ${LIMIT} at most.`)
}

/** Paths relative to the project. */
export async function shareBundle() {
  await using server = await startBuiltServer()
  const found = new Set()
  follow(await (await fetch(`${server.url}/share`)).text(), '/', found)
  return [...found].sort()
}

function follow(text, folder, found) {
  for (const [, address] of text.matchAll(LOADED)) {
    const file = posix.resolve(folder, address)
    const path = `dist/client${file}`
    if (found.has(path)) continue
    found.add(path)
    follow(readFileSync(join(root, path), 'utf8'), posix.dirname(file), found)
  }
}
