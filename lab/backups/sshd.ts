import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { localEnvironment } from '../../scripts/local-node.mjs'
import { freePort } from '../../scripts/testing/free-port.mjs'

const SSHD = '/usr/sbin/sshd'

/** What is missing here to send anything by ssh, as a sentence. */
export function missingForSsh(): string | undefined {
  const isThere = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
  const missing = [SSHD, 'ssh', 'ssh-keygen', 'rsync'].filter((program) => !isThere(program))
  if (missing.length === 0) return undefined
  return `${missing.join(', ')} missing here: apt-get install openssh-server openssh-client rsync`
}

/** Starts an sshd of this account on a free port of this machine, with keys of its own. */
export async function startSshd(folder: string) {
  const [host, key, bin, known] = ['host', 'key', 'bin', 'known'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ]
  for (const file of [host, key]) execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file])
  const port = await freePort()
  const lines = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${host}`,
    `AuthorizedKeysFile ${key}.pub`,
    `PidFile ${join(folder, 'pid')}`,
    // The folder is below /tmp, where everyone may write.
    'StrictModes no',
    'UsePAM no',
  ]
  writeFileSync(join(folder, 'sshd_config'), `${lines.join('\n')}\n`)
  // Without it sshd of Debian does not start as root; a package makes it at each start of the system.
  if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true })
  const server = spawn(SSHD, ['-D', '-f', join(folder, 'sshd_config'), '-E', join(folder, 'log')], { stdio: 'ignore' })
  // The keys of this run instead of those of the account.
  const options = [`IdentityFile ${key}`, 'IdentitiesOnly yes', `UserKnownHostsFile ${known}`]
  writeFileSync(join(folder, 'ssh_config'), `Host *\n${options.join('\n')}\n`)
  mkdirSync(bin)
  const words = `#!/bin/sh\nexec /usr/bin/ssh -F ${join(folder, 'ssh_config')} "$@"\n`
  writeFileSync(join(bin, 'ssh'), words, { mode: 0o755 })
  while (!(await accepts(port))) await wait(50)
  return {
    /** Behind it stands the folder. */
    address: `ssh://${userInfo().username}@127.0.0.1:${port}`,
    /** The environment in which ssh finds its keys. */
    variables: { PATH: `${bin}:${localEnvironment({}).PATH}` },
    know: () => writeFileSync(known, `[127.0.0.1]:${port} ${readFileSync(`${host}.pub`, 'utf8')}`),
    stop: () => server.kill(),
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
    socket.unref()
    setTimeout(() => socket.destroy(), 200).unref()
  })
}
