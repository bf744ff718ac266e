// Leaves packages out of the server that other packages load at the start, for what this site never asks of them. To read
// and run them took a fifth of the start, and each weighs on the memory for as long as the site runs.
const PREFIX = '\0unused:'

/** What is loaded in their place. */
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

/** @returns {import('vite').Plugin} */
export function unusedPackages() {
  return {
    name: 'unused-packages',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'ssr',
    resolveId: (id) => (Object.hasOwn(UNUSED, id) ? PREFIX + id : undefined),
    load: (id) => (id.startsWith(PREFIX) ? UNUSED[id.slice(PREFIX.length)] : undefined),
  }
}
