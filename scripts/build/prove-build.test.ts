import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canBecome } from '../../cli/installation-fixtures.ts'
import { localNode } from '../local-node.mjs'
import { projectCopy } from '../setup-fixtures.ts'

/** An account without rights, which builds here. */
const BUILDER = 65534
const isRoot = process.getuid?.() === 0

let project: ReturnType<typeof projectCopy>
beforeAll(() => {
  project = projectCopy()
})
afterAll(() => project.remove())

describe('the proof of a build', () => {
  it('reads no settings from the environment or .env, and does not need permission to read .env', ({ skip }) => {
    skip(isRoot && !canBecome(BUILDER), 'Root can read everything, and another account cannot reach the project.')
    const file = join(project.place, '.env')
    writeFileSync(file, 'PORT=none\n')
    chmodSync(file, 0o000)
    if (isRoot) execFileSync('chown', ['-R', '-h', `${BUILDER}:${BUILDER}`, project.place])
    const account = isRoot ? ['setpriv', `--reuid=${BUILDER}`, `--regid=${BUILDER}`, '--clear-groups'] : []
    const script = `import('./scripts/build/prove-build.mjs').then(({ proveBuild }) => proveBuild('${project.place}/real'))`
    const run = (...words: string[]) => {
      const [command = '', ...rest] = [...account, ...words]
      const env = { PATH: process.env.PATH, PUBLIC_URL: 'no address' }
      return spawnSync(command, rest, { cwd: project.place, env, encoding: 'utf8' })
    }
    expect(run('cat', file).status).not.toBe(0)
    expect(run(localNode(), '-e', script)).toMatchObject({ status: 0, stderr: '' })
  })
})
