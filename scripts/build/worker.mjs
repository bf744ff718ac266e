// Bundles the service worker of visitors into one file at the root of the site, from where it may serve all of it.
// An Astro integration: astro.config.mjs runs it after the build.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { root } from '../local-node.mjs'
import { rememberPackages } from './remember-packages.mjs'

/** @returns {import('astro').AstroIntegration} */
export function worker() {
  return {
    name: 'worker',
    hooks: {
      'astro:build:done': async ({ dir }) => {
        const { metafile } = await build({
          metafile: true,
          absWorkingDir: root,
          entryPoints: ['site/worker/worker.ts'],
          outfile: join(fileURLToPath(dir), 'worker.js'),
          bundle: true,
          minify: true,
          target: ['chrome111', 'firefox114', 'safari16.4'],
          logLevel: 'warning',
        })
        rememberPackages(Object.keys(metafile.inputs))
      },
    },
  }
}
