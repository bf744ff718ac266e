// Finds the project's folder, its own Node and its tools, for the other scripts.
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const bin = join(root, 'node_modules', '.bin')
const platform = process.platform === 'win32' ? 'win' : process.platform

/** Whether package.json's optionalDependencies have a Node for this platform, which npm installs like any other package. */
export const hasPackagedNode = ['linux-x64', 'linux-arm64', 'win-x64'].includes(`${platform}-${process.arch}`)

const packagedNode = join(
  root,
  'node_modules',
  `node-${platform}-${process.arch}`,
  'bin',
  platform === 'win' ? 'node.exe' : 'node',
)

function isPackagedNodeInstalled() {
  return existsSync(packagedNode)
}

/** The project's own Node, or else the Node that runs this script. */
export function localNode() {
  return isPackagedNodeInstalled() ? packagedNode : process.execPath
}

/** An environment in which `node` and every tool are the project's own. */
export function localEnvironment(extra = {}) {
  const path = [bin, dirname(localNode()), process.env.PATH].join(delimiter)
  return { ...process.env, PATH: path, ASTRO_TELEMETRY_DISABLED: '1', ...extra }
}

/** The script behind a package's command. The local Node runs it without a shell and without Windows' .cmd files. */
export function toolScript(packageName) {
  const folder = join(root, 'node_modules', packageName)
  const { bin: scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const name = packageName.split('/').at(-1)
  return join(folder, typeof scripts === 'string' ? scripts : (scripts[name] ?? Object.values(scripts)[0]))
}

/** The machine's own environment, with its npm and Node, as if the project had installed nothing. */
export function systemEnvironment() {
  const foreign = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
  return { ...process.env, PATH: foreign.join(delimiter) }
}
