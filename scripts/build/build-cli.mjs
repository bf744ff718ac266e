// Bundles the command line into the next build: `rsvp.js` has every command with its help, `late.js` the code they run.
// Two files and not many, because Node takes longer to find and link files than to run them.
import { rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from '../local-node.mjs'
import { next } from './builds.mjs'
import { builtin, bundle } from './bundle.mjs'

const outdir = join(next, 'cli')
/** The modules that the first file imports with `import(…)`, when a command runs. */
const late = new Set()

rmSync(outdir, { recursive: true, force: true })
await bundleForNode({ entryPoints: ['cli/rsvp.ts', 'cli/main.ts'], outdir, plugins: [lateModules(), lightBuiltins()] })
// Sorted, because they are found in a different order in each build.
await bundleForNode({
  stdin: {
    contents: Array.from([...late].sort(), (path) => `export const ${nameOf(path)} = () => import('./${path}')`).join(
      '\n',
    ),
    resolveDir: root,
  },
  outfile: join(outdir, 'late.js'),
  // It finds its native part beside itself.
  external: ['sharp'],
  // Ink loads the developer tools of React only in development.
  alias: { 'react-devtools-core': 'node:util' },
  plugins: [lightBuiltins()],
})

function bundleForNode(options) {
  return bundle({
    format: 'esm',
    platform: 'node',
    target: 'node22.12',
    jsx: 'automatic',
    minifySyntax: true,
    minifyWhitespace: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    // CommonJS packages call `require`.
    banner: {
      js: "import{createRequire as __createRequire}from'node:module';const require=__createRequire(import.meta.url);",
    },
    ...options,
  })
}

/**
 * Moves modules that are imported with `import(…)` to `late.js`, where each runs on its first import. A module in both
 * files runs twice, so `rsvp.js` must not contain state, or a class that `late.js` compares with.
 */
function lateModules() {
  return {
    name: 'late-modules',
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /.*/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
        if (kind !== 'dynamic-import' || pluginData === 'resolving') return undefined
        if (path === './late.js') return { path, external: true }
        const found = await resolve(path, { kind, importer, resolveDir, pluginData: 'resolving' })
        if (found.errors.length > 0) return found
        late.add(relative(root, found.path).replaceAll('\\', '/'))
        return { path: relative(root, found.path).replaceAll('\\', '/'), namespace: 'late' }
      })
      // `import(…)` treats a module that exports `then` as a promise, and returns its result.
      onLoad({ filter: /.*/, namespace: 'late' }, ({ path }) => ({
        contents: `export const then = (resolve, reject) =>
          import('./late.js').then((late) => late.${nameOf(path)}()).then(resolve, reject)`,
      }))
    },
  }
}

function nameOf(path) {
  return path.replaceAll(/\W/g, '_')
}

/**
 * Loads Node's built-in modules on first use: many commands never use the slow ones, e.g. node:crypto. Without this,
 * help takes twice as long, and a list a third longer.
 */
function lightBuiltins() {
  return {
    name: 'light-builtins',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: builtin }, ({ path, kind }) =>
        kind === 'import-statement' ? { path, namespace: 'builtin' } : undefined,
      )
      onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({ contents: lightBuiltin(path) }))
    },
  }
}

function lightBuiltin(path) {
  if (/^(node:)?process$/.test(path)) return 'module.exports = process'
  // A class to extend, e.g. node:events.
  if (typeof process.getBuiltinModule(path) === 'function')
    return `module.exports = process.getBuiltinModule('${path}')`
  // The bundler reads all own properties of an object, but no inherited ones.
  return `let builtin
    const load = (_, name) => (builtin ??= process.getBuiltinModule('${path}'))[name]
    module.exports = Object.create(new Proxy({}, { get: load }))`
}
