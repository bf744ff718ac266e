// Writes a .br and a .gz file beside every file of the built client, so that the server need not compress on each request.
// An Astro integration: astro.config.mjs runs it after the build.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const alreadyCompressed = /\.(br|gz|woff2|png|jpe?g|webp|avif)$/

/** @returns {import('astro').AstroIntegration} */
export function precompress() {
  return {
    name: 'precompress',
    hooks: {
      'astro:build:done': ({ dir }) => {
        const folder = fileURLToPath(dir)
        for (const entry of globSync('**', { cwd: folder, withFileTypes: true })) {
          if (entry.isFile() && !alreadyCompressed.test(entry.name)) compress(join(entry.parentPath, entry.name))
        }
      },
    },
  }
}

/** Skips a format in which a file does not get smaller. */
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
