// Bundles the program that draws the preview picture into a file of its own beside the server: the site runs it in a process
// of its own. An Astro integration: astro.config.mjs runs it after the build.
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** @returns {import('astro').AstroIntegration} */
export function previewProgram() {
  return {
    name: 'preview-program',
    hooks: {
      'astro:build:done': async ({ dir }) => {
        await build({
          entryPoints: ['site/server/preview/drawing/program.ts'],
          outfile: fileURLToPath(new URL('../server/preview.mjs', dir)),
          bundle: true,
          format: 'esm',
          platform: 'node',
          target: 'node22.12',
          minify: true,
          // Native code cannot be bundled.
          external: ['@resvg/resvg-js', 'sharp'],
        })
      },
    },
  }
}
