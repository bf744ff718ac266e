// Bundles the command line into the next build: a small entry file, and chunks that load when a command needs them.
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
  entryPoints: ['cli/rsvp.ts', 'cli/main.ts'],
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
  // Native code cannot be bundled; Ink loads the developer tools only in development.
  external: ['libsql', 'react-devtools-core'],
  // CommonJS packages call `require`.
  banner: {
    js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
  },
  plugins: [lightBuiltins()],
  logLevel: 'warning',
})

/**
 * Loads Node's built-in modules by a call. An import reads every property of a module, and some getters load more code.
 * Commander imports child_process for subcommands that are separate programs, which we do not have.
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
