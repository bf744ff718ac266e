import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '#db/config/config.ts'
import { openPlace } from './open-place.ts'

// Tried with a real sshd, too (docs/reliability.md); here stands what needs none.

const folder = mkdtempSync(join(tmpdir(), 'rsvp-ssh-'))
const bin = join(folder, 'bin')
const said = join(folder, 'said')
const name = 'rsvp-2026-11-21T02-30-00.000Z.3-3-3.db.age'
const { signal } = new AbortController()

beforeEach(() => {
  rmSync(bin, { recursive: true, force: true })
  rmSync(said, { force: true })
  mkdirSync(bin)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const open = (env: Record<string, string> = {}, title = 'ssh://rsvp@backup.example.org:2222/srv/copies') =>
  openPlace(readConfig({ BACKUP_COPY_TO: title }).copies, { signal, env: { PATH: `${bin}:/usr/bin:/bin`, ...env } })

/** Puts a program in the place of rsync that notes down its words and its environment. */
function pretend(lines: string): void {
  const script = `#!/bin/sh\n{ printf '%s\\n' "$@"; echo --; env; echo ==; } >> ${said}\n${lines}\n`
  writeFileSync(join(bin, 'rsync'), script, { mode: 0o755 })
}
const words = () =>
  readFileSync(said, 'utf8')
    .split('==\n')
    .slice(0, -1)
    .map((run) => run.split('\n--\n')[0]?.split('\n') ?? [])

const always = ['--rsh', 'ssh -oBatchMode=yes -oConnectTimeout=60 -oServerAliveInterval=60 -p 2222', '--timeout', '60']
const there = 'rsvp@backup.example.org:/srv/copies/'

describe('a place by ssh', () => {
  it('lists the files there, of any rsync', async () => {
    pretend(`cat <<'END'
drwx------          4,096 2026/11/21 02:30:00 .
-rw-------      1,234,567 2026/11/21 02:30:00 ${name}
-rw-r--r--            123 2026/11/21 02:30:00 notes of mine.txt
lrwxrwxrwx             12 2026/11/21 02:30:00 link.age -> elsewhere
END`)
    expect(await (await open()).list()).toEqual([
      { name, bytes: 1_234_567 },
      { name: 'notes of mine.txt', bytes: 123 },
    ])
    expect(words()).toEqual([[...always, '--list-only', '--no-human-readable', there]])
  })

  it('asks for the disk there to be waited for, where rsync can', async () => {
    pretend('case "$*" in *--fsync*) echo "rsync: --fsync: unknown option" >&2; exit 1;; esac')
    await (await open()).send('/file', name)
    const sent = ['--chmod=F600', '--whole-file', '/file', `${there}${name}`]
    expect(words()).toEqual([
      [...always, '--fsync', ...sent],
      [...always, ...sent],
    ])
  })

  it('removes nothing but what it is told to', async () => {
    pretend('')
    const { remove } = await open()
    await remove([])
    expect(existsSync(said)).toBe(false)
    await remove([name])
    const [[...given] = []] = words()
    const empty = given.splice(-2, 1)
    expect(given).toEqual([...always, '--recursive', '--delete', `--include=/${name}`, '--exclude=*', there])
    expect(existsSync(String(empty))).toBe(false)
  })

  it('passes no settings on, which hold passwords', async () => {
    pretend('')
    await (await open({ ADMIN_PASSWORD: 'three words in a row', HOME: folder })).list()
    expect(readFileSync(said, 'utf8')).toContain(`HOME=${folder}\n`)
    expect(readFileSync(said, 'utf8')).not.toContain('three words')
  })

  // As ssh and rsync 3.2.7 of Debian print it.
  it.each([
    [255, 'Host key verification failed.', /its key is not known to this account, or has changed\. As the account of/],
    [
      255,
      'rsvp@backup.example.org: Permission denied (publickey,password).',
      /it refuses the login \(publickey,password\)/,
    ],
    [
      255,
      'ssh: Could not resolve hostname backup.example.org: Name or service not known',
      /its name is not known\. Check/,
    ],
    [255, 'ssh: connect to host 10.0.0.1 port 22: Connection timed out', /it said nothing for 60 s\. Check that/],
    [11, 'rsync: [receiver] write failed on "/srv/x": No space left on device (28)', /it is full\. Make room there/],
    [127, 'bash: line 1: rsync: command not found', /rsync is missing there\. Install it there/],
    [2, 'protocol version mismatch -- is your shell clean?', /may not start rsync, or prints a greeting/],
    [
      11,
      'rsync: [receiver] mkstemp "/srv/x" failed: Permission denied (13)',
      /the account there may not use that folder/,
    ],
    [12, 'rsync error: something new\nmore', /rsync ends with 12 \(rsync error: something new\)\. Try again/],
  ])('says what to do when rsync ends with %d and %j', async (code, text, message) => {
    pretend(`echo '${text}' >&2; exit ${code}`)
    await expect((await open()).send('/file', name)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(message),
    })
  })

  it('says that it is the disk here that is full, when something is fetched', async () => {
    pretend('echo "rsync: [receiver] write failed on /x: No space left on device (28)" >&2; exit 11')
    await expect((await open()).fetch(name, join(folder, 'back'))).rejects.toMatchObject({ code: 'full' })
  })

  it('says where rsync is missing', async () => {
    const message = expect.stringMatching(/rsync is missing here\. Install it: /)
    await expect((await open({ PATH: bin })).list()).rejects.toMatchObject({ message })
  })

  it('ends when it is told to', async () => {
    pretend('exec sleep 60')
    const stopping = new AbortController()
    const copies = readConfig({ BACKUP_COPY_TO: 'ssh://backup.example.org/srv' }).copies
    const place = await openPlace(copies, { signal: stopping.signal, env: { PATH: `${bin}:/usr/bin:/bin` } })
    const listing = place.list()
    stopping.abort(new Error('stopped'))
    await expect(listing).rejects.toThrow('stopped')
  })
})
