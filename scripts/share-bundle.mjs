// Measures the built scripts that /share loads before any interaction, compressed: those of its page, and what they import.
// Dynamic imports, e.g. the toast, load after an interaction and do not count.
import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { gzipSync } from 'node:zlib'
import { root } from './local-node.mjs'
import { Failure, finish } from './run.mjs'
import { startBuiltServer } from './testing/built-server.mjs'

export const LIMIT = 82_000
/** In a page the scripts of tags, preloads and islands; in a script, also an inline one, its imports. */
const LOADED =
  /(?:\b(?:import|from) ?|\b(?:src|component-url|renderer-url|before-hydration-url)=|\brel="modulepreload" href=)"([^"]+\.js)"/g

if (process.argv[1] === import.meta.filename) finish(main)

async function main() {
  const { sizes, total } = await shareBundle()
  if (total === 0) throw new Failure('/share loads no script at all: the list of its files must be wrong.')
  const lines = Array.from(sizes, ([file, size]) => `${size} ${file}`)
  if (total > LIMIT) throw new Failure(`${lines.join('\n')}\n${total} bytes, and ${LIMIT} at most.`)
}

/** The sizes by file, and their sum. */
export async function shareBundle() {
  await using server = await startBuiltServer()
  const sizes = new Map()
  follow(await (await fetch(`${server.url}/share`)).text(), '/', sizes)
  return { sizes, total: Array.from(sizes.values()).reduce((sum, size) => sum + size, 0) }
}

function follow(text, folder, sizes) {
  for (const [, address] of text.matchAll(LOADED)) {
    const file = posix.resolve(folder, address)
    if (sizes.has(file)) continue
    const script = readFileSync(join(root, 'dist/client', file), 'utf8')
    sizes.set(file, gzipSync(script, { level: 9 }).length)
    follow(script, posix.dirname(file), sizes)
  }
}
