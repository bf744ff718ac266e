import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PNG } from 'pngjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { comparePicture, foldersIn } from './compare.mjs'

let folder = ''
const folders = () => foldersIn(folder)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rsvp-pictures-'))
  for (const path of Object.values(folders())) mkdirSync(path)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A gray picture, with one pixel of another shade if there is one. */
function store(set: 'now' | 'last', width: number, height: number, shade?: number): void {
  const picture = new PNG({ width, height })
  for (let place = 0; place < width * height; place++) {
    const gray = place === 1 ? (shade ?? 200) : 200
    picture.data.set([gray, gray, gray, 255], place * 4)
  }
  writeFileSync(join(folders()[set], 'share.png'), PNG.sync.write(picture))
}

describe('comparePicture', () => {
  it('calls a picture new that was never accepted', () => {
    store('now', 4, 4)
    expect(comparePicture(folder, 'share')).toEqual({ kind: 'new' })
  })

  it('calls equal pictures the same', () => {
    for (const set of ['now', 'last'] as const) store(set, 4, 4)
    expect(comparePicture(folder, 'share')).toEqual({ kind: 'same' })
  })

  it('sees one pixel that is a little darker, and draws the difference', () => {
    store('last', 4, 4)
    store('now', 4, 4, 190)
    expect(comparePicture(folder, 'share')).toEqual({ kind: 'changed', pixels: 1 })
    expect(PNG.sync.read(readFileSync(join(folders().difference, 'share.png')))).toMatchObject({ width: 4, height: 4 })
  })

  it('ignores a shade that only the next run draws so', () => {
    store('last', 4, 4)
    store('now', 4, 4, 198)
    expect(comparePicture(folder, 'share')).toEqual({ kind: 'same' })
  })

  it('counts what one picture has beyond the other', () => {
    store('last', 4, 4)
    store('now', 4, 6)
    expect(comparePicture(folder, 'share')).toEqual({ kind: 'changed', pixels: 8 })
  })
})
