// Makes the server of two builds of one commit the same, wherever they were built: without the path of the project, which
// Astro writes into it, without a random key, and with its files in one order.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from '../local-node.mjs'
import { elsewhere, manifestElsewhere } from './elsewhere.mjs'

/** Before the names of files are made of what is in them. @returns {import('vite').Plugin} */
export function withoutPlace() {
  return {
    name: 'without-place',
    applyToEnvironment: ({ name }) => name === 'ssr',
    renderChunk: (code) => ({ code: elsewhere(code, root), map: null }),
  }
}

/** What Astro writes into the server at the very end. @returns {import('astro').AstroIntegration} */
export function sameManifest() {
  return {
    name: 'same-manifest',
    hooks: {
      'astro:build:done': ({ dir }) => {
        const server = join(fileURLToPath(dir), '..', 'server')
        const files = readdirSync(server, { recursive: true }).map((name) => join(server, String(name)))
        const islands = files.filter((file) => /server-island-manifest.*\.mjs$/.test(file))
        if (islands.length !== 1) throw new Error(`Astro lists its server islands in ${islands.length} files, not one.`)
        if (islands.some((file) => readFileSync(file, 'utf8').includes('import('))) {
          throw new Error('There are server islands now: what they get is encrypted, so they need a key of their own.')
        }
        const written = files.filter((file) => file.endsWith('.mjs') && rewrite(file))
        if (written.length !== 1)
          throw new Error(`Astro has written its manifest into ${written.length} files, not one.`)
      },
    },
  }
}

/** The manifest is one line, or the rest of one. */
function rewrite(file) {
  const code = readFileSync(file, 'utf8')
  const rewritten = code.replace(/(?<=deserializeManifest\(\s*)\{"rootDir":.*/, (manifest) =>
    manifestElsewhere(manifest, root),
  )
  if (rewritten === code) return false
  writeFileSync(file, rewritten)
  return true
}
