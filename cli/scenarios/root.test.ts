import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, lchownSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '#db/config/places.ts'
import { copyCommand } from '../../scripts/testing/copy-project.mjs'
import { rsvp, testFolder } from '../fixtures.ts'

const { folder } = testFolder()

/** The id of an account without a name, which owns the site in this test. */
const SITE = 65534
const UNREACHABLE = 'Only root can become another account, and only where that can reach the project.'

/** Runs a command as the account of the site. */
function asSite(command: string, ...words: string[]) {
  const account = [`--reuid=${SITE}`, `--regid=${SITE}`, '--clear-groups', command, ...words]
  return spawnSync('setpriv', account, { cwd: '/', env: {}, encoding: 'utf8' })
}

/** Everything in a folder that does not belong to the account of the site, except packages. */
function foreignIn(place: string): string[] {
  const names = readdirSync(place, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => !name.startsWith('node_modules/') && lstatSync(join(place, name)).uid !== SITE)
}

describe('a command that root runs in the folder of a site', () => {
  it('leaves nothing that the account of the site cannot use', async ({ skip }) => {
    skip(asSite('test', '-x', join(projectRoot, 'cli', 'rsvp')).status !== 0, UNREACHABLE)
    const place = join(folder, 'of the site')
    copyCommand(place)
    const command = join(place, 'cli', 'rsvp')
    const url = `file:${join(place, 'data', 'rsvp.db')}`
    const run = (...words: string[]) => rsvp(url, words, { root: place })
    chmodSync(dirname(place), 0o755)
    execFileSync('chown', ['-R', '-h', `${SITE}:${SITE}`, place])
    lchownSync(place, SITE, SITE)
    for (const name of ['exports', 'backups']) {
      mkdirSync(join(place, name), { mode: 0o700 })
      lchownSync(join(place, name), SITE, SITE)
    }
    // As a process of its own, in which root also creates the database.
    const start = { cwd: '/', env: {}, input: 'three quiet otters\n' }
    expect(spawnSync(command, ['password'], start).status).toBe(0)
    const lines = [
      ['add', '--samples', '3'],
      ['delete', '3', '--yes'],
      ['export', '--out', join(place, 'exports/one.json'), '--json'],
      ['backup', '--out', join(place, 'backups/')],
    ]
    for (const words of lines) expect([words, await run(...words)]).toMatchObject([words, { code: 0 }])
    const [backup = ''] = readdirSync(join(place, 'backups'))
    expect((await run('backup', 'restore', '--yes', join(place, 'backups', backup))).code).toBe(0)
    expect(foreignIn(place)).toEqual([])

    expect(asSite(command, 'add', '--samples', '1')).toMatchObject({ status: 0 })
    expect(asSite(command, 'backup', '--out', join(place, 'backups/'))).toMatchObject({ status: 0, stderr: '' })
    expect(JSON.parse(asSite(command, 'list', '--json').stdout)).toHaveLength(3)
  })
})
