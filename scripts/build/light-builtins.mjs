// Loads Node's built-in modules by a call, in what Vite bundles for the server. An import reads every property of a module,
// and some getters load more code: that of node:http loads a WebSocket, with all of fetch.
import { builtinModules } from 'node:module'

const PREFIX = '\0builtin:'
/** What runs before anything else is loaded: the bundler's own code, and the entry. */
const first = /^\0rolldown|site.server.entry\.ts$/
const builtin = new RegExp(`^(node:.+|${builtinModules.join('|')})$`)

/** @returns {import('vite').Plugin} */
export function lightBuiltins() {
  return {
    name: 'light-builtins',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'ssr',
    resolveId: (id, importer = '') => (builtin.test(id) && !first.test(importer) ? PREFIX + id : undefined),
    load: (id) =>
      id.startsWith(PREFIX) ? `module.exports = process.getBuiltinModule('${id.slice(PREFIX.length)}')` : undefined,
  }
}
