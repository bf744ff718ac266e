// Builds what Astro does not: the service worker, and compressed copies of the files that browsers load.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { bundle } from './bundle.mjs'
import { targets } from './oldest-browsers.mjs'

const alreadyCompressed = /\.(br|gz|woff2|png|jpe?g|webp|avif)$/

/** @returns {import('astro').AstroIntegration} */
export function afterBuild() {
  return {
    name: 'after-build',
    hooks: {
      'astro:build:done': async ({ dir }) => {
        const client = fileURLToPath(dir)
        const server = join(client, '..', 'server')
        // At the root of the site, so that the service worker may serve all of it.
        await bundle({
          entryPoints: ['site/worker/worker.ts'],
          outfile: join(client, 'worker.js'),
          minify: true,
          target: targets,
        })
        for (const entry of globSync('**', { cwd: client, withFileTypes: true })) {
          if (entry.isFile() && !alreadyCompressed.test(entry.name)) compress(join(entry.parentPath, entry.name))
        }
      },
    },
  }
}

/** So that the server does not compress on each request. Skips a format that does not make the file smaller. */
function compress(path) {
  const content = readFileSync(path)
  const brotli = brotliCompressSync(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  })
  if (brotli.length < content.length) writeFileSync(`${path}.br`, brotli)
  const gzip = gzipSync(content, { level: constants.Z_BEST_COMPRESSION })
  if (gzip.length < content.length) writeFileSync(`${path}.gz`, gzip)
}
