// Plugins for Vite that make the server start faster: by the modules it bundles, and the way it writes files.
import { transform } from 'esbuild'
import { builtin } from './bundle.mjs'

const PREFIX = '\0server:'
/** The modules that run before all others: the bundler's own code, and the entry. */
const first = /^\0rolldown|site.server.entry\.ts$/

/**
 * Replacements for packages that others load at the start, for features that this site does not use. Loading them took
 * a fifth of the start, and each would stay in memory.
 */
const UNUSED = {
  // @fastify/static lists folders with it; site/server/front/static-files.ts does that itself.
  glob: 'module.exports = {}',
  // @fastify/compress asks it about types that are neither text nor JSON: those are compressed by the build, or never.
  'mime-db': 'module.exports = {}',
  // @fastify/compress supports older versions of Node with it.
  'readable-stream': "module.exports = process.getBuiltinModule('node:stream')",
  // Fastify compiles the schemas of routes with these, and calls routes in tests; we use neither.
  '@fastify/ajv-compiler': 'module.exports = () => undefined',
  '@fastify/fast-json-stringify-compiler': 'module.exports = () => undefined',
  'light-my-request': 'module.exports = {}',
  // Astro's cache of pages matches paths with it; ours is site/server/kept-pages.
  picomatch: 'module.exports = () => () => false',
  // pino writes in another thread with it, which is optional.
  'thread-stream': 'module.exports = class {}',
  // find-my-way checks patterns in routes with it; ours have none.
  'safe-regex2': 'module.exports = () => true',
}

/**
 * Replaces unused packages, and loads Node's built-in modules by a call. An import reads every property of a module,
 * and some getters load more code: node:http loads a WebSocket, with all of fetch.
 * @returns {import('vite').Plugin}
 */
export function serverModules() {
  return {
    name: 'server-modules',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'ssr',
    resolveId: (id, importer = '') =>
      Object.hasOwn(UNUSED, id) || (builtin.test(id) && !first.test(importer)) ? PREFIX + id : undefined,
    load(id) {
      if (!id.startsWith(PREFIX)) return undefined
      const name = id.slice(PREFIX.length)
      return UNUSED[name] ?? `module.exports = process.getBuiltinModule('${name}')`
    },
  }
}

/**
 * Removes indentation and comments. Names and short lines stay, so that stack traces are readable.
 * @returns {import('vite').Plugin}
 */
export function serverFiles() {
  return {
    name: 'server-files',
    applyToEnvironment: ({ name }) => name === 'ssr',
    async generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = await compacted(file.code)
    },
  }
}

/** In ASCII: one other character makes V8 keep the whole file at two bytes a character. */
async function compacted(source) {
  const { code } = await transform(source, { minifyWhitespace: true, lineLimit: 120, legalComments: 'none' })
  // A line break in a placeholder would hide it from Astro, which fills it in. The bundler escapes other characters
  // everywhere but in patterns; there, after a backslash, an escape would change the meaning.
  const whole = code.replaceAll(/"@@[A-Z_\\\n]+@@"/g, (placeholder) => placeholder.replaceAll('\\\n', ''))
  return whole.replaceAll(/(?<!\\)[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
