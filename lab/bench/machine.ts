import { execFileSync } from 'node:child_process'
import { cpus, release, totalmem } from 'node:os'
import { root } from '../../scripts/local-node.mjs'

/** Where and with what was measured. */
export function machineOf() {
  const [first] = cpus()
  return {
    cpu: `${cpus().length} × ${first?.model.trim() ?? 'unknown'}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `Linux ${release()}`,
    node: process.version,
    sqlite: process.versions.sqlite ?? '',
    commit: execFileSync('git', ['describe', '--always', '--dirty'], { cwd: root, encoding: 'utf8' }).trim(),
    date: new Date().toISOString().slice(0, 10),
  }
}
