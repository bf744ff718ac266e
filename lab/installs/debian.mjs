// Empty Debian systems that boot: made by mmdebstrap once, run by systemd-nspawn, and thrown away. Needs root.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { root } from '../../scripts/local-node.mjs'
import { Failure, run } from '../../scripts/run.mjs'

const RELEASE = 'bookworm'
const BOOT_MS = 60_000
const cache = join(root, 'node_modules', '.cache', 'rsvp-installs')
/** Of the system alone: no Node, no npm, no compiler, not even curl. */
const base = join(cache, `${RELEASE}.tar`)

/** @throws Failure with what this machine lacks. */
export async function prepareDebian() {
  if (process.getuid?.() !== 0) throw new Failure('Only root can start another system: run the same with sudo.')
  for (const [tool, debianPackage] of [
    ['systemd-nspawn', 'systemd-container'],
    ['mmdebstrap', 'mmdebstrap'],
  ]) {
    const { code } = await run(tool, ['--version'], process.env)
    if (code !== 0) throw new Failure(`${tool} is not installed: \`apt-get install ${debianPackage}\`.`)
  }
  if (existsSync(base)) return
  console.log(`Making an empty Debian (${RELEASE})…`)
  mkdirSync(cache, { recursive: true })
  const words = ['--variant=minbase', '--include=systemd,systemd-sysv,dbus', RELEASE, `${base}.tmp.tar`]
  const { code, output } = await run('mmdebstrap', words, process.env)
  if (code !== 0) throw new Failure(`${output}\nNo Debian could be made, see above.`)
  renameSync(`${base}.tmp.tar`, base)
}

/**
 * Boots an empty system. Its lines of a shell are run by `sh`, which throws where one fails, or `attempt`, which does not;
 * `start` runs one beside.
 */
export async function bootDebian() {
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-debian-'))
  spawnSync('tar', ['-C', folder, '-xf', base])
  const words = [
    '--quiet',
    '-D',
    folder,
    '--boot',
    '--register=no',
    '--keep-unit',
    '--console=pipe',
    '--private-network',
  ]
  const machine = spawn('systemd-nspawn', words, { stdio: ['ignore', 'ignore', 'ignore'] })
  const ended = new Promise((resolve) => machine.once('close', resolve))
  const stop = async () => {
    machine.kill('SIGTERM')
    const killing = setTimeout(() => machine.kill('SIGKILL'), 10_000)
    await ended
    clearTimeout(killing)
    rmSync(folder, { recursive: true, force: true })
  }
  const leader = () => readFileSync(`/proc/${machine.pid}/task/${machine.pid}/children`, 'utf8').trim().split(' ')[0]
  const within = (line) => {
    const inside = ['-t', leader(), '-m', '-u', '-i', '-n', '-p', '--', 'env', '-i', `PATH=${PATH}`, 'HOME=/root']
    return [...inside, 'sh', '-c', `cd /root && ${line}`]
  }
  const attempt = (line) => {
    const { status, stdout, stderr } = spawnSync('nsenter', within(line), { encoding: 'utf8' })
    return { status, output: stdout + stderr }
  }
  const deadline = Date.now() + BOOT_MS
  while (!/running|degraded/.test(attempt('systemctl is-system-running').output)) {
    if (Date.now() < deadline && machine.exitCode === null) await wait(200)
    else {
      await stop()
      throw new Failure('The empty Debian does not boot here.')
    }
  }
  /** @throws Failure where the line fails in there. */
  const sh = (line) => {
    const { status, output } = attempt(line)
    if (status !== 0) throw new Failure(`${line}\nended with ${status}:\n${output}`)
    return output
  }
  const start = (line) =>
    new Promise((resolve) => spawn('nsenter', within(line), { stdio: 'ignore' }).once('close', resolve))
  return { folder, leader, sh, attempt, start, stop }
}

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
