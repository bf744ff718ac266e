import { execFileSync } from 'node:child_process'
import { cpus, release, totalmem } from 'node:os'
import { localNode, root } from '../../scripts/local-node.mjs'

const GIB = 2 ** 30

/** Where and with what was measured, in a sentence. */
export function machineOf(): string {
  const [first] = cpus()
  const day = new Date().toISOString().slice(0, 10)
  const memory = Math.round(totalmem() / GIB)
  const version = execFileSync(localNode(), ['--version'], { encoding: 'utf8' }).trim()
  const machine = `${cpus().length} cores of ${first?.model.trim() || 'an unknown processor'}, ${memory} GiB`
  return `Measured on ${day}: ${machine}, Linux ${release()}, Node ${version}, SQLite ${process.versions.sqlite} in the limits.`
}

/** The commit that is measured; marked where files were changed since. */
export function commitOf(): string {
  const words = ['describe', '--always', '--dirty=+', '--abbrev=7', '--exclude=*']
  return execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim()
}
