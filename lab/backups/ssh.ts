import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { localEnvironment, root } from '../../scripts/local-node.mjs'
import { run } from '../../scripts/run.mjs'
import type { Random } from '../random.ts'
import { startSshd } from './sshd.ts'

const command = join(root, 'cli', 'rsvp')

/** Sends copies to a real sshd, proves and restores them, damages one, and kills senders. Findings are sentences. */
export async function tryCopiesBySsh(kills: number, random: Random): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'rsvp-by-ssh-'))
  const [away, backups] = [join(folder, 'away'), join(folder, 'backups')]
  const sshd = await startSshd(folder)
  const findings: string[] = []
  const env: Record<string, string> = {
    ...sshd.variables,
    DATABASE_URL: `file:${join(folder, 'site', 'rsvp.db')}`,
    BACKUP_DIR: backups,
    BACKUP_COPY_TO: `${sshd.address}${away}`,
    BACKUP_COPY_KEEP: '2',
  }
  const rsvp = (words: string[], variables = {}) => run(command, words, localEnvironment({ ...env, ...variables }))

  /** Notes a finding unless the command ends like this and says that. */
  async function expectThat(
    what: string,
    words: string[],
    code: number,
    said: RegExp,
    variables = {},
  ): Promise<string> {
    const ended = await rsvp(words, variables)
    if (ended.code !== code || !said.test(ended.output)) {
      findings.push(`${what}: \`rsvp ${words.join(' ')}\` ended with ${ended.code} and said: ${ended.output.trim()}`)
    }
    return ended.output
  }

  try {
    await rsvp(['init', '--yes'])
    await rsvp(['add', '--samples', '500'])
    const key = await rsvp(['init', '--backup-key', join(folder, 'identity.txt'), '--quiet'])
    for (const [, name = '', value = ''] of key.output.matchAll(/^([A-Z_]+)=(.+)$/gm)) env[name] = value
    await expectThat('an unknown host', ['backup'], 1, /its key is not known to this account/)
    sshd.know()
    await expectThat('a missing folder', ['backup', 'list'], 1, /it has no such folder/)
    mkdirSync(away)
    writeFileSync(join(away, 'notes.txt'), 'mine')
    await expectThat('no copy yet', ['backup', 'verify'], 1, /There is no backup at ssh:/)
    for (const _ of [1, 2, 3]) await expectThat('a copy', ['backup', '--json'], 0, /"place": "ssh:/)
    await expectThat('the newest copy', ['backup', 'verify', '--json'], 0, /"finding": "fine"/)
    const names = readdirSync(away).toSorted()
    if (names.length !== 3 || !names.includes('notes.txt')) findings.push(`two copies and a note became ${names}`)

    const [file = ''] = /ssh:\S+\.age/.exec(await expectThat('a list', ['backup', 'list'], 0, /ssh:/)) ?? []
    const fresh = { DATABASE_URL: `file:${join(folder, 'fresh', 'rsvp.db')}`, BACKUP_COPY_RECIPIENT: '' }
    await expectThat('a new server', ['backup', 'restore', file, '--yes'], 0, /Brought back 500 responses/, fresh)
    await killSenders()
    damageNewest()
    await expectThat('a damaged copy', ['backup', 'verify'], 1, /is damaged \(/)
    sshd.stop()
    await expectThat('a place that is away', ['backup', 'verify'], 1, /Connection refused/)
  } finally {
    sshd.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return findings

  /** Ends senders at any moment: what is there then is whole, and the next one leaves nothing else behind. */
  async function killSenders(): Promise<void> {
    for (let number = 0; number < kills; number++) {
      const environment = localEnvironment(env)
      const child = spawn(command, ['backup', '--send-only'], { env: environment, stdio: 'ignore' })
      const ended = new Promise((resolve) => child.once('close', resolve))
      await wait(random.below(700))
      child.kill(number % 2 === 0 ? 'SIGTERM' : 'SIGKILL')
      await ended
      await expectThat(`after kill ${number + 1}`, ['backup', 'verify', '--json'], 0, /"finding": "fine"/)
    }
    // What a machine that loses power leaves there.
    writeFileSync(join(away, '.rsvp-2020-01-01T00-00-00.000Z.1-1-1.db.age.aB3dE6'), 'half')
    await expectThat('after the kills', ['backup'], 0, /^$/)
    for (const [place, whole] of [
      [away, /^(notes\.txt|rsvp-.+\.db\.age)$/],
      [backups, /\.db$/],
    ] as const) {
      const left = readdirSync(place).filter((name) => !whole.test(name))
      if (left.length > 0) findings.push(`left in ${place}: ${left.join(', ')}`)
    }
  }

  function damageNewest(): void {
    const newest =
      readdirSync(away)
        .filter((name) => name.endsWith('.age'))
        .toSorted()
        .at(-1) ?? ''
    const bytes = readFileSync(join(away, newest))
    writeFileSync(join(away, newest), bytes.fill(0, bytes.length - 2000, bytes.length - 1000))
  }
}
