// Bundles the programs that the site runs in processes of their own, each into a file beside the server: what draws the
// preview picture, and what prepares the picture of the church. An Astro integration: astro.config.mjs runs it after the
// build.
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { rememberPackages } from './remember-packages.mjs'

/** @returns {import('astro').AstroIntegration} */
export function programs() {
  return {
    name: 'programs',
    hooks: {
      'astro:build:done': async ({ dir }) => {
        const { metafile } = await build({
          metafile: true,
          entryPoints: {
            preview: 'site/server/preview/program.ts',
            picture: 'site/server/church/program.ts',
          },
          outdir: fileURLToPath(new URL('../server', dir)),
          outExtension: { '.js': '.mjs' },
          bundle: true,
          format: 'esm',
          platform: 'node',
          target: 'node22.12',
          minify: true,
          loader: { '.svg': 'text' },
          // Native code cannot be bundled.
          external: ['@resvg/resvg-js', 'sharp'],
        })
        rememberPackages(Object.keys(metafile.inputs))
      },
    },
  }
}
