import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { StoredCopy } from '#db/backup/names.ts'
import type { CopyAddress } from '#db/config/setting-values.ts'
import type { UserError } from '#db/errors.ts'
import { restrictToOwner } from '#db/storage/local-file.ts'
import { fullHere, type Place, placeError, type Surroundings, silent } from './place.ts'

const start = promisify(execFile)

/** rsync's exit codes for its two timeouts: data transfer and connection. */
const SILENT = [30, 35]
/** A line of a listing: permissions, size, day, time, name. */
const LISTED = /^-\S+ +([\d,.]+) \S+ \S+ (.+)$/gm
const FULL = /No space left on device|Disk quota exceeded/
/** In bytes; enough for a list of very many files. */
const MOST_PRINTED = 64 * 1024 * 1024

/**
 * A folder on another machine, by rsync over ssh. rsync writes under a temporary name and renames. Only rsync is
 * started there, so the account may be restricted to it.
 */
export function sshPlace(
  title: string,
  { login, port, folder }: Extract<CopyAddress, { kind: 'ssh' }>,
  { signal, env: all, silenceMs }: Required<Surroundings>,
): Place {
  const env = withoutSecrets(all)
  const seconds = Math.ceil(silenceMs / 1000)
  // Never asks for a password, and gives up on a silent machine.
  const options = ['BatchMode=yes', `ConnectTimeout=${seconds}`, `ServerAliveInterval=${seconds}`]
  const shell = ['ssh', ...options.map((option) => `-o${option}`), ...(port === undefined ? [] : ['-p', port])]
  const always = ['--rsh', shell.join(' '), '--timeout', String(seconds)]

  async function rsync(...words: string[]): Promise<string> {
    try {
      const { stdout } = await start('rsync', [...always, ...words], { signal, env, maxBuffer: MOST_PRINTED })
      return stdout
    } catch (error) {
      signal.throwIfAborted()
      // The local rsync writes the fetched file.
      const isHere = words.at(-1)?.includes(':') === false
      if (isHere && FULL.test(String((error as { stderr?: unknown }).stderr))) throw fullHere()
      throw rsyncError(title, silenceMs, error)
    }
  }

  const there = (name: string) => `${login}:${folder}/${name}`.replace('//', '/')

  async function list(): Promise<StoredCopy[]> {
    const printed = await rsync('--list-only', '--no-human-readable', there(''))
    return Array.from(printed.matchAll(LISTED), ([, bytes = '', name = '']) => ({
      name,
      bytes: Number(bytes.replace(/\D/g, '')),
    }))
  }

  async function send(file: string, name: string): Promise<void> {
    const words = ['--chmod=F600', '--whole-file', file, there(name)]
    try {
      await rsync('--fsync', ...words)
    } catch (error) {
      // rsync before 3.2.4 (2022) has no --fsync.
      if (!(error instanceof Error && error.cause === 'fsync')) throw error
      await rsync(...words)
    }
  }

  /** Syncs an empty folder, limited to these names: rsync has no other way to delete. */
  async function remove(names: string[]): Promise<void> {
    if (names.length === 0) return
    const empty = await mkdtemp(join(tmpdir(), 'rsvp-none-'))
    try {
      const only = [...names.map((name) => `--include=/${name}`), '--exclude=*']
      await rsync('--recursive', '--delete', ...only, `${empty}/`, there(''))
    } finally {
      await rm(empty, { recursive: true, force: true })
    }
  }

  return {
    title,
    list,
    send,
    remove,
    fetch: async (name, file) => {
      await rsync('--whole-file', there(name), file)
      await restrictToOwner(file)
    },
  }
}

/** Only what ssh needs: the settings contain passwords. */
function withoutSecrets({ PATH, HOME, USER, LOGNAME, SSH_AUTH_SOCK }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { PATH, HOME, USER, LOGNAME, SSH_AUTH_SOCK, LC_ALL: 'C' }
}

/** Turns the output of rsync and ssh into a sentence, which reveals only the names of the machine and of files. */
function rsyncError(title: string, silenceMs: number, error: unknown): UserError | Error {
  const { code, stderr = '' } = error as { code?: unknown; stderr?: string }
  if (code === 'ENOENT') return placeError(title, 'rsync is missing here', 'Install it: sudo apt install rsync')
  if (/--fsync: unknown option/.test(stderr)) return new Error('rsync there is too old', { cause: 'fsync' })
  if (SILENT.includes(Number(code)) || /timed out/i.test(stderr)) return silent(title, silenceMs)
  const [pattern, reason, todo] = known.find(([said]) => said.test(stderr)) ?? unknownReason(stderr, code)
  return placeError(title, reason.replace('$1', pattern.exec(stderr)?.[1] ?? ''), todo)
}

type Known = [said: RegExp, reason: string, todo: string]

const known: Known[] = [
  [
    /Host key verification failed/,
    'its key is not known to this account, or has changed',
    'As the account of the site, connect once with ssh and compare the key.',
  ],
  [/Permission denied \(([a-z].*)\)/, 'it refuses the login ($1)', "Put the public key of the site's account there."],
  [/Could not resolve hostname/, 'its name is not known', 'Check BACKUP_COPY_TO, and the network.'],
  [/(Connection refused|No route to host|Network is unreachable)/, '$1', 'See whether it runs, and its firewall.'],
  [FULL, 'it is full', 'Make room there, then try again.'],
  [
    /(?:change_dir|mkdir|mkstemp|link_stat).+No such file or directory/,
    'it has no such folder or file',
    'Make the folder there.',
  ],
  [/rsync: (?:command )?not found/, 'rsync is missing there', 'Install it there.'],
  [
    /protocol version mismatch/,
    'the account there may not start rsync, or prints a greeting',
    'Allow only rsync to it.',
  ],
  [/Permission denied/, 'the account there may not use that folder', 'Give it the folder.'],
]

function unknownReason(stderr: string, code: unknown): Known {
  const [line = ''] = stderr.trim().split('\n')
  return [/^/, `rsync ends with ${code}${line === '' ? '' : ` (${line})`}`, 'Try again, or run rsync by hand.']
}
