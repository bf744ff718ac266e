// Bundles with esbuild, for everything but pages and islands.
import { builtinModules } from 'node:module'
import { build } from 'esbuild'
import { root } from '../local-node.mjs'

/** The names of Node's built-in modules. */
export const builtin = new RegExp(`^(node:.+|${builtinModules.join('|')})$`)

/** @param {import('esbuild').BuildOptions} options */
export async function bundle(options) {
  await build({ absWorkingDir: root, bundle: true, logLevel: 'warning', ...options })
}
