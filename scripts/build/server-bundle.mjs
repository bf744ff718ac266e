// What Vite bundles for the server: which modules it gets, and how its files are written. Each takes from the time of a start.
import { builtinModules } from 'node:module'
import { transform } from 'esbuild'
import { elsewhere } from './same-bytes.mjs'

const PREFIX = '\0server:'
const builtin = new RegExp(`^(node:.+|${builtinModules.join('|')})$`)
/** What runs before anything else is loaded: the bundler's own code, and the entry. */
const first = /^\0rolldown|site.server.entry\.ts$/

/**
 * In the place of packages that other packages load at the start, for what this site never asks of them. To read and run
 * them took a fifth of the start, and each weighs on the memory for as long as the site runs.
 */
const UNUSED = {
  // @fastify/static lists a folder with it: site/server/front/static-files.ts does.
  glob: 'module.exports = {}',
  // @fastify/compress asks it about types that are neither text nor JSON: those are compressed by the build, or never.
  'mime-db': 'module.exports = {}',
  // @fastify/compress works with older versions of Node than this one.
  'readable-stream': "module.exports = process.getBuiltinModule('node:stream')",
  // Fastify compiles the schemas of routes with these, and calls a route in tests: we have neither.
  '@fastify/ajv-compiler': 'module.exports = () => undefined',
  '@fastify/fast-json-stringify-compiler': 'module.exports = () => undefined',
  'light-my-request': 'module.exports = {}',
  // Astro's cache of pages in memory matches paths with it: ours are kept by site/server/kept-pages.
  picomatch: 'module.exports = () => () => false',
  // pino writes in a thread of its own with it, where it is told to.
  'thread-stream': 'module.exports = class {}',
  // prom-client traces requests and estimates quantiles with these, where it is told to.
  '@opentelemetry/api': 'module.exports = {}',
  tdigest: 'module.exports = {}',
  // find-my-way tries the patterns of routes with it. Ours has none.
  'safe-regex2': 'module.exports = () => true',
}

/**
 * Leaves out what is unused, and loads Node's built-in modules by a call. An import reads every property of a module, and
 * some getters load more code: that of node:http loads a WebSocket, with all of fetch.
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
 * Writes files without the path of the project, before their names are made of what is in them, and without indentation and
 * comments. Names stay, and lines stay short, so that places of errors can be read.
 * @returns {import('vite').Plugin}
 */
export function serverFiles() {
  return {
    name: 'server-files',
    applyToEnvironment: ({ name }) => name === 'ssr',
    renderChunk: (code) => ({ code: elsewhere(code), map: null }),
    async generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = await compacted(file.code)
    },
  }
}

/** In ASCII: one other character makes V8 keep the whole file at two bytes a character. */
async function compacted(source) {
  const { code } = await transform(source, { minifyWhitespace: true, lineLimit: 120, legalComments: 'none' })
  // The bundler escapes other characters everywhere but in patterns. Behind a backslash it would be another pattern.
  // Astro replaces this text by what it knows of the routes, wherever it stands in its line.
  const whole = code.replaceAll(/"@@[A-Z_\\\n]+@@"/g, (placeholder) => placeholder.replaceAll('\\\n', ''))
  return whole.replaceAll(/(?<!\\)[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
