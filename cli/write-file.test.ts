import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { UserError } from '#db/values/errors.ts'
import { writePrivateFile } from './write-file.ts'

const OLD = 'old and whole'

let folder: string
let file: string
let umask: number

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rsvp-write-'))
  file = join(folder, 'rsvps.csv')
  umask = process.umask()
})
afterEach(() => {
  process.umask(umask)
  rmSync(folder, { recursive: true, force: true })
})

const textOf = (path: string) => readFileSync(path, 'utf8')
const modeOf = (path: string) => statSync(path).mode & 0o777

async function* slowly(...pieces: (string | Error)[]) {
  for (const piece of pieces) {
    await delay(1)
    if (piece instanceof Error) throw piece
    yield piece
  }
}

describe('writePrivateFile', () => {
  it('writes all pieces for this account only, whatever the umask', async () => {
    process.umask(0)
    await writePrivateFile(file, ['a\n', '김민수\n', ''], { replace: false })
    expect([textOf(file), modeOf(file), readdirSync(folder)]).toEqual(['a\n김민수\n', 0o600, ['rsvps.csv']])
  })

  it('keeps the old file until the new one, beside it and as private, is whole', async () => {
    writeFileSync(file, OLD, { mode: 0o666 })
    const seen: unknown[] = []
    async function* watching() {
      for (const piece of ['one', 'two']) {
        yield piece
        const [unfinished = ''] = readdirSync(folder).filter((name) => name !== 'rsvps.csv')
        seen.push([textOf(file), unfinished.startsWith('.'), modeOf(join(folder, unfinished))])
      }
    }
    await writePrivateFile(file, watching(), { replace: true })
    expect(seen).toEqual(Array(2).fill([OLD, true, 0o600]))
    expect([textOf(file), modeOf(file), readdirSync(folder)]).toEqual(['onetwo', 0o600, ['rsvps.csv']])
  })

  it('leaves the old file, and nothing else, when the work fails halfway', async () => {
    writeFileSync(file, OLD)
    const failure = new UserError('unavailable', 'The database cannot be reached.')
    await expect(writePrivateFile(file, slowly('half', failure), { replace: true })).rejects.toBe(failure)
    expect([textOf(file), readdirSync(folder)]).toEqual([OLD, ['rsvps.csv']])
  })

  // A pipe in place of /dev/null: were it not refused, a test run by root would take that from the whole machine.
  it.each([
    ['pipe', ' is not a regular file: use --out - and a redirection.'],
    ['', 'That is a folder: give the name of a file in it with --out.'],
    ['missing/rsvps.csv', 'There is no such folder: create it first, or give another --out.'],
    ['file/rsvps.csv', 'A part of that path is a file, not a folder: give another --out.'],
  ])('says why it cannot write to %j', async (name, sentence) => {
    writeFileSync(join(folder, 'file'), OLD)
    execFileSync('mkfifo', [join(folder, 'pipe')])
    const error = { exitCode: 1, message: expect.stringContaining(sentence) }
    await expect(writePrivateFile(join(folder, name), ['new'], { replace: true })).rejects.toMatchObject(error)
    expect(readdirSync(folder)).toEqual(['file', 'pipe'])
  })
})
