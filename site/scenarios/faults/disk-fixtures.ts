import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect } from 'vitest'
import { afterTest, testPlace } from './fixtures.ts'

/** Where mount, unshare and mkfs are. */
const PROGRAMS = '/usr/sbin:/usr/bin:/sbin:/bin'
export const NO_MOUNT = 'This account may mount nothing here.'

/**
 * A file system of its own that only the site sees, and that is gone with it. `file` is the database as the site names
 * it, `seen` the folder as this process reaches it. Undefined where this account may mount nothing.
 */
export async function smallDisk(mount = 'mount -t tmpfs -o size=1m none "$PLACE"') {
  const folder = testPlace()
  const user = process.getuid?.() === 0 ? [] : ['--map-root-user']
  // It ends with this process, at the latest when that no longer writes to it.
  const keeper = spawn('unshare', ['--mount', ...user, 'bash', '--norc', '-c', `${mount} && echo mounted && cat`], {
    env: { PATH: PROGRAMS, PLACE: folder },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  keeper.on('error', () => {})
  const ended = once(keeper, 'close').catch(() => {})
  afterTest(async () => {
    keeper.stdin.destroy()
    await ended
  })
  if ((await Promise.race([once(keeper.stdout, 'data'), ended])) === undefined || keeper.exitCode !== null)
    return undefined
  const target = [`--target=${keeper.pid}`, '--mount', ...(user.length > 0 ? ['--user', '--preserve-credentials'] : [])]
  const within = ['nsenter', ...target]

  /** Runs a line of bash where the site runs; `$PLACE` is the folder. */
  async function run(line: string): Promise<void> {
    const env = { PATH: PROGRAMS, PLACE: folder }
    const shell = spawn('nsenter', [...target, 'bash', '--norc', '-e', '-c', line], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const said = Promise.all([shell.stdout.toArray(), shell.stderr.toArray()])
    const [code] = await once(shell, 'close')
    expect([code, (await said).join('')]).toEqual([0, ''])
  }
  return { folder, file: join(folder, 'rsvp.db'), seen: `/proc/${keeper.pid}/root${folder}`, within, run }
}
