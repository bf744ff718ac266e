import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { UserError } from '#db/errors.ts'
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
  it.each(['000', '077'])('writes all pieces for this account only, with umask %s', async (mask) => {
    process.umask(Number.parseInt(mask, 8))
    await writePrivateFile(file, ['a\n', '김민수\n', ''], { replace: false })
    expect(textOf(file)).toBe('a\n김민수\n')
    expect(modeOf(file)).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['rsvps.csv'])
  })

  it('leaves a file that is there as it is, and says how to replace it', async () => {
    writeFileSync(file, OLD)
    let begun = false
    function* pieces() {
      begun = true
      yield 'new'
    }
    await expect(writePrivateFile(file, pieces(), { replace: false })).rejects.toMatchObject({
      exitCode: 1,
      message: `${file} exists already. Add --force to replace it, or give another --out.`,
    })
    expect([begun, textOf(file)]).toEqual([false, OLD])
    expect(readdirSync(folder)).toEqual(['rsvps.csv'])
  })

  it('replaces it where that is wanted, and keeps the old file until the new one, beside it and as private, is whole', async () => {
    writeFileSync(file, OLD)
    chmodSync(file, 0o666)
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

  it.each([true, false])('leaves nothing behind when the work fails halfway (replace: %s)', async (replace) => {
    const failure = new UserError('unavailable', 'The database cannot be reached.')
    if (replace) writeFileSync(file, OLD)
    await expect(writePrivateFile(file, slowly('half', failure), { replace })).rejects.toBe(failure)
    expect(readdirSync(folder)).toEqual(replace ? ['rsvps.csv'] : [])
    if (replace) expect(textOf(file)).toBe(OLD)
  })

  it('lets exactly one of two win that write at once, and its file is whole', async () => {
    for (let round = 0; round < 5; round++) {
      const place = join(folder, `round-${round}`)
      const texts = ['a', 'b', 'c'].map((letter) => letter.repeat(100_000))
      const outcomes = await Promise.allSettled(
        texts.map((text) => writePrivateFile(place, [text], { replace: false })),
      )
      const winners = outcomes.flatMap(({ status }, at) => (status === 'fulfilled' ? [texts[at]] : []))
      expect(winners).toEqual([textOf(place)])
      for (const outcome of outcomes.filter(({ status }) => status === 'rejected')) {
        expect(outcome).toMatchObject({ reason: { exitCode: 1, message: expect.stringContaining('exists already') } })
      }
      expect(readdirSync(folder)).toHaveLength(round + 1)
    }
  })

  it('writes through a link, which stays one', async () => {
    mkdirSync(join(folder, 'elsewhere'))
    const target = join(folder, 'elsewhere', 'target.csv')
    writeFileSync(target, OLD)
    symlinkSync(target, file)
    await writePrivateFile(file, ['new'], { replace: true })
    expect(lstatSync(file).isSymbolicLink()).toBe(true)
    expect(textOf(target)).toBe('new')
    expect(readdirSync(join(folder, 'elsewhere'))).toEqual(['target.csv'])
  })

  // A pipe in place of /dev/null: were it not refused, a test run by root would take that from the whole machine.
  it.each([true, false])('refuses what is no ordinary file, and leaves it (replace: %s)', async (replace) => {
    execFileSync('mkfifo', [file])
    await expect(writePrivateFile(file, ['new'], { replace })).rejects.toMatchObject({
      exitCode: 1,
      message: `${file} is not a regular file: use --out - and a redirection.`,
    })
    expect(lstatSync(file).isFIFO()).toBe(true)
    expect(readdirSync(folder)).toEqual(['rsvps.csv'])
  })

  it.each([
    ['', 'That is a folder: give the name of a file in it with --out.'],
    ['missing/rsvps.csv', 'There is no such folder: create it first, or give another --out.'],
    ['file/rsvps.csv', 'A part of that path is a file, not a folder: give another --out.'],
    ['x'.repeat(256), 'It cannot be written (ENAMETOOLONG).'],
  ])('says why it cannot write to %j', async (name, sentence) => {
    writeFileSync(join(folder, 'file'), OLD)
    const place = join(folder, name)
    const error = { exitCode: 1, message: `${sentence} Tried: ${place}` }
    await expect(writePrivateFile(place, ['new'], { replace: true })).rejects.toMatchObject(error)
    expect(readdirSync(folder)).toEqual(['file'])
  })
})
