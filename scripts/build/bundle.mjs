// Bundles with esbuild, and records which packages the bundles contain: a release lists them with their licenses.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { build } from 'esbuild'
import { root } from '../local-node.mjs'
import { next } from './builds.mjs'

/** The names of Node's built-in modules. */
export const builtin = new RegExp(`^(node:.+|${builtinModules.join('|')})$`)

/** In the folder of a build: the folders of its packages in the project, e.g. `node_modules/react`, sorted. */
export const PACKAGES_FILE = 'packages.json'

const file = join(next, PACKAGES_FILE)

/** The last folder of a package in a path: `node_modules/a/node_modules/@b/c/d.js` is of `@b/c` within `a`. */
const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/

/** With esbuild, for everything but pages and islands. @param {import('esbuild').BuildOptions} options */
export async function bundle(options) {
  const { metafile } = await build({
    absWorkingDir: root,
    bundle: true,
    logLevel: 'warning',
    metafile: true,
    ...options,
  })
  remember(Object.keys(metafile.inputs))
}

/** For what Vite bundles: the pages and the islands. @internal @returns {import('vite').Plugin} */
export function bundledPackages() {
  return {
    name: 'bundled-packages',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      remember(chunks.flatMap(({ modules }) => Object.keys(modules)))
    },
  }
}

/** Adds the packages of these files. @param {string[]} paths absolute, or relative to the project */
function remember(paths) {
  const known = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
  const found = paths.map((path) => PACKAGE.exec(path.replaceAll('\\', '/').replace(/^\0/, ''))?.[0])
  const folders = found.filter((path) => path !== undefined).map((path) => path.slice(path.indexOf('node_modules/')))
  const all = new Set([...known, ...folders.filter((folder) => existsSync(join(root, folder, 'package.json')))])
  writeFileSync(file, JSON.stringify([...all].sort()))
}
