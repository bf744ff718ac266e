import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canBecome } from '../cli/installation-fixtures.ts'
import { localNode } from './local-node.mjs'
import { installation } from './setup-fixtures.ts'

/** The account that builds here: nobody's. */
const BUILDER = 65534

let project: ReturnType<typeof installation>
beforeAll(() => {
  project = installation()
})
afterAll(() => project.remove())

/** Proves the build that is here, in the copy of the project. */
function prove(account: string[] = [], variables: Record<string, string> = {}) {
  const script = `import('./scripts/prove-build.mjs').then(({ proveBuild }) => proveBuild('${project.place}/real'))`
  const [command = '', ...words] = [...account, localNode(), '-e', script]
  const { status, stderr } = spawnSync(command, words, {
    cwd: project.place,
    env: { PATH: process.env.PATH, ...variables },
    encoding: 'utf8',
  })
  return { code: status, said: stderr }
}

describe('the proof of a build', () => {
  it('takes no settings, neither from the environment nor from .env', () => {
    writeFileSync(join(project.place, '.env'), 'PORT=none\nBACKUP_FOLDER=nowhere\n')
    expect(prove([], { PUBLIC_URL: 'nowhere' })).toEqual({ code: 0, said: '' })
  })

  it('needs no .env that the account can read', ({ skip }) => {
    skip(!canBecome(BUILDER), 'Only root can become another account, and only where that can reach the project.')
    const file = join(project.place, '.env')
    writeFileSync(file, 'PORT=none\n')
    execFileSync('chown', ['-R', '-h', `${BUILDER}:${BUILDER}`, project.place])
    chownSync(file, 0, 0)
    chmodSync(file, 0o600)
    const account = ['setpriv', `--reuid=${BUILDER}`, `--regid=${BUILDER}`, '--clear-groups']
    expect(spawnSync('setpriv', [...account.slice(1), 'cat', file]).status).not.toBe(0)
    expect(prove(account)).toEqual({ code: 0, said: '' })
  })
})
