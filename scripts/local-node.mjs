// Finds the project's folder and its own Node, for the other scripts.
import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const bin = join(root, 'node_modules', '.bin')

/** Whether npm installs a Node for this platform: package.json's optionalDependencies have one. */
export const hasPackagedNode = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)

/** The Node that npm has installed here, or else the one that runs this script. */
export function localNode() {
  const packaged = join(bin, 'node')
  return existsSync(packaged) ? packaged : process.execPath
}

/** An environment in which `node` and every tool are the project's own. */
export function localEnvironment(extra = {}) {
  return { ...process.env, PATH: [bin, process.env.PATH].join(delimiter), ASTRO_TELEMETRY_DISABLED: '1', ...extra }
}
