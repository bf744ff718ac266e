import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { canBecome } from '../installation-fixtures.ts'
import { changeEnvFile } from './env-file.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rsvp-env-'))
  file = join(folder, '.env')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function changedEnv(text: string, variables: Record<string, string>): Promise<string> {
  writeFileSync(file, text)
  await changeEnvFile(file, variables)
  return readFileSync(file, 'utf8')
}

describe('the text of .env after a change', () => {
  it('changes the variables it finds, adds the rest, and keeps every other line', async () => {
    const before = '# The site\n\nPORT=4321\nnot a setting\nOTHER = "a b" # kept\n'
    expect(await changedEnv(before, { PORT: '5000', HOST: '0.0.0.0' })).toBe(
      '# The site\n\nPORT=5000\nnot a setting\nOTHER = "a b" # kept\nHOST=0.0.0.0\n',
    )
  })

  it.each(['PORT=1', 'export PORT=1', 'export  PORT =1'])('changes %j', async (line) => {
    expect(await changedEnv(`A=1\n${line}\nB=2\n`, { PORT: '2' })).toBe('A=1\nPORT=2\nB=2\n')
  })

  it.each(['#PORT=1', 'MY_PORT=1', 'exportPORT=1'])('leaves %j alone', async (line) => {
    expect(await changedEnv(`${line}\n`, { PORT: '2' })).toBe(`${line}\nPORT=2\n`)
  })

  it('changes the last of several lines for a variable, the one that counts', async () => {
    const after = await changedEnv('PORT=1\nHOST=a\nPORT=2\n', { PORT: '3' })
    expect(after).toBe('PORT=1\nHOST=a\nPORT=3\n')
    expect(parseEnv(after)).toEqual({ PORT: '3', HOST: 'a' })
  })

  it.each([
    'file:/srv/été/rsvp data.db',
    "file:/srv/O'Neil/$HOME/a.db",
    '',
    ...['#', '#1', 'a#b', 'a #b', 'a # b', 'a#', 'a##b', "it's #1", 'say "#1"', `it's "#1"`, 'a`b#c'],
    ...[' a', 'a ', ' ', '\t', 'a\tb', '"', "'", '`', '"a"', "'a'", '`a`', '"a', "a'", `'"`, `"a" 'b'`],
    ...['\\', 'a\\', 'a\\nb', '"a\\nb"', "'a\\nb'", 'a\\#b', '=', 'a=b', '=#', 'export A=1', '%h', '김민수#1', '😀#'],
  ])('writes %j so that it is read back as it was', async (value) => {
    const around = '# ours\nFIRST="a # b"\nBACKUP_DIR=old\nLAST=1\n'
    const once = await changedEnv(around, { BACKUP_DIR: value })
    expect(parseEnv(once)).toEqual({ FIRST: 'a # b', BACKUP_DIR: value, LAST: '1' })
    expect(await changedEnv(once, { BACKUP_DIR: value })).toBe(once)
    expect(await changedEnv(once, { BACKUP_DIR: 'old' })).toBe(around)
  })

  it.each(['PORT=1\r\nHOST=a\r\n', 'PORT=1\r\nHOST=a'])(
    'understands lines that end as on Windows: %j',
    async (before) => {
      expect(parseEnv(await changedEnv(before, { PORT: '2' }))).toEqual({ PORT: '2', HOST: 'a' })
    },
  )
})

const UNREACHABLE = 'Only root can become another account, and only where that can reach the project.'

describe('changeEnvFile', () => {
  /** In a process of its own: a process that gives up root cannot take it back. */
  function changeAsAccount(like: string): string {
    const change = `import(${JSON.stringify(join(import.meta.dirname, 'env-file.ts'))})
      .then((own) => own.changeEnvFile(process.argv[1], { PORT: '2' }, process.argv[2]))
      .catch((error) => console.log(error.message))`
    const account = ['--reuid=65534', '--regid=65533', '--groups=65531', process.execPath, '-e', change, file, like]
    return spawnSync('setpriv', account, { cwd: '/', encoding: 'utf8' }).stdout
  }

  it.each([
    ['666', '640'],
    ['644', '640'],
    ['440', '440'],
  ])('keeps unknown lines, and changes file mode %s to %s', async (before, after) => {
    writeFileSync(file, '# ours\nDATABASE_AUTH_TOKEN=secret\nPORT=1\n')
    chmodSync(file, before)
    await changeEnvFile(file, { PORT: '2' })
    expect(readFileSync(file, 'utf8')).toBe('# ours\nDATABASE_AUTH_TOKEN=secret\nPORT=2\n')
    expect((statSync(file).mode & 0o777).toString(8)).toBe(after)
  })

  it('keeps owner and group of an old file that root changes', async ({ skip }) => {
    skip(process.getuid?.() !== 0, 'Only root can give files away.')
    writeFileSync(file, 'PORT=1\n', { mode: 0o640 })
    chownSync(file, 65534, 65533)
    await changeEnvFile(file, { PORT: '2' }, folder)
    expect(statSync(file)).toMatchObject({ uid: 65534, gid: 65533, mode: 0o100640 })
  })

  it.for([
    ['an owner', 65532, 65533],
    ['a group', 65534, 65532],
  ] as const)('changes nothing where %s would lose access to the file', ([, uid, gid], { skip }) => {
    skip(!canBecome(65534), UNREACHABLE)
    writeFileSync(file, 'PORT=1\n')
    chmodSync(file, 0o644)
    chownSync(file, uid, gid)
    chownSync(folder, 65534, 65533)
    expect(changeAsAccount(folder)).toMatch(/ could no longer read it: .+ It was not changed\.\n$/)
    expect([readFileSync(file, 'utf8'), statSync(file).uid, statSync(file).gid]).toEqual(['PORT=1\n', uid, gid])
  })

  describe('of a file that the site can read only because all accounts can', () => {
    const database = () => join(folder, 'rsvp.db')
    beforeEach(({ skip }) => {
      skip(!canBecome(65534), UNREACHABLE)
      writeFileSync(database(), '')
      writeFileSync(file, 'PORT=1\n')
      chmodSync(file, 0o644)
      for (const path of [file, folder]) chownSync(path, 65534, 65533)
    })

    it('lets the group of the site read it', () => {
      chownSync(database(), 65532, 65531)
      expect(changeAsAccount(database())).toBe('')
      expect(readFileSync(file, 'utf8')).toBe('PORT=2\n')
      expect(statSync(file)).toMatchObject({ uid: 65534, gid: 65531, mode: 0o100640 })
    })

    it('changes nothing where the owner is not in that group, and says what to do', () => {
      chownSync(database(), 65532, 65532)
      expect(changeAsAccount(database())).toBe(
        `Accounts that can read ${file} now could no longer read it: run this as root, or, if no other account needs to ` +
          `read it, first run \`chmod o= ${file}\`. It was not changed.\n`,
      )
      expect(readFileSync(file, 'utf8')).toBe('PORT=1\n')
      expect(statSync(file)).toMatchObject({ uid: 65534, gid: 65533, mode: 0o100644 })
    })
  })

  it('changes nothing where the old settings cannot be read, instead of losing them', async () => {
    symlinkSync(file, file)
    await expect(changeEnvFile(file, { PORT: '2' })).rejects.toThrow()
    expect(lstatSync(file).isSymbolicLink()).toBe(true)
  })

  it.each([
    ['a value for which there are no quotes', 'PORT=1\n', `it's "#1" \`here\``],
    ['a quote that is not closed', 'NOTE="ours\nPORT=1\n', 'a"#b'],
    ['a line within the quotes of another one', "NOTE='\nBACKUP_DIR=old\n'\n", '/backups'],
  ])('refuses a change that would be read back differently: %s', async (_, before, value) => {
    writeFileSync(file, before)
    await expect(changeEnvFile(file, { BACKUP_DIR: value })).rejects.toMatchObject({
      exitCode: 1,
      message: expect.stringMatching(/^(\w+ and )*BACKUP_DIR would be misread from .+ It was not changed\.$/),
    })
    expect(readFileSync(file, 'utf8')).toBe(before)
  })
})
