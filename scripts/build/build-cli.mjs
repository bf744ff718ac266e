// Bundles the command line into the next build: one small file to start with, the rest loaded when a command needs it.
import { rmSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { build } from 'esbuild'
import { root } from '../local-node.mjs'
import { next } from './builds.mjs'

const outdir = join(next, 'cli')
const builtin = new RegExp(`^(node:.+|${builtinModules.join('|')})$`)

rmSync(outdir, { recursive: true, force: true })
await build({
  absWorkingDir: root,
  entryPoints: ['cli/rsvp.ts'],
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.12',
  jsx: 'automatic',
  minifySyntax: true,
  minifyWhitespace: true,
  define: { 'process.env.NODE_ENV': '"production"' },
  // Native code, which cannot be bundled, and what Ink asks for only while it is being developed.
  external: ['libsql', 'react-devtools-core'],
  // Packages written for CommonJS call it.
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
  plugins: [lightBuiltins()],
  logLevel: 'warning',
})

/**
 * Gets Node's own modules by a call instead of an import, which reads every property of a module and thereby starts
 * what hides behind it. Commander wants child_process for commands that are programs of their own; we have none.
 */
function lightBuiltins() {
  return {
    name: 'light-builtins',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: builtin }, ({ path, kind, importer }) => {
        if (kind !== 'import-statement') return undefined
        const unused = path.endsWith('child_process') && importer.includes('commander')
        return { path, namespace: unused ? 'unused' : 'builtin' }
      })
      onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
        contents: `module.exports = process.getBuiltinModule('${path}')`,
      }))
      onLoad({ filter: /.*/, namespace: 'unused' }, () => ({ contents: 'module.exports = {}' }))
    },
  }
}
