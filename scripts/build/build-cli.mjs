// Bundles the command line into the next build: `rsvp.js` knows every command with its help, `late.js` has all that they
// do. They are two files and not many, because Node takes longer to find and link files than to run what is in them.
import { rmSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join, relative } from 'node:path'
import { root } from '../local-node.mjs'
import { next } from './builds.mjs'
import { bundle } from './bundle.mjs'

const outdir = join(next, 'cli')
const builtin = new RegExp(`^(node:.+|${builtinModules.join('|')})$`)
/** The modules that the first file imports with `import(…)`, when a command runs. */
const late = new Set()

rmSync(outdir, { recursive: true, force: true })
await bundleForNode({ entryPoints: ['cli/rsvp.ts', 'cli/main.ts'], outdir, plugins: [lateModules(), lightBuiltins()] })
// Sorted: they are found in an order that changes from build to build.
await bundleForNode({
  stdin: {
    contents: Array.from([...late].sort(), (path) => `export const ${nameOf(path)} = () => import('./${path}')`).join(
      '\n',
    ),
    resolveDir: root,
  },
  outfile: join(outdir, 'late.js'),
  // Finds its native part beside itself.
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
 * Leaves what is imported with `import(…)` to `late.js`, where a module is run when it is asked for. A module in both files
 * runs twice: the first one must not contain what has a state, or a class that the other one compares with.
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
      // `import(…)` takes a module that exports `then` for a promise, and returns what it resolves to.
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
 * Loads a built-in module of Node when it is first used: many commands never use those that take long, e.g. node:crypto.
 * Without it help takes twice as long, and a list a third longer.
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
  // The bundler looks at every property of an object, but not at those that it inherits.
  return `let builtin
    const load = (_, name) => (builtin ??= process.getBuiltinModule('${path}'))[name]
    module.exports = Object.create(new Proxy({}, { get: load }))`
}
