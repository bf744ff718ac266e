import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

describe.each(['db', 'site', 'cli', 'lab', 'scripts'])('the README of %s', (room) => {
  const text = readFileSync(join(root, room, 'README.md'), 'utf8')
  const named = Array.from(text.matchAll(/`([\w./-]+(?:\/|\.\w+))`/g), ([, name = '']) => name)

  it('names every folder', () => {
    const folders = readdirSync(join(root, room), { withFileTypes: true }).filter((entry) => entry.isDirectory())
    expect(named).toEqual(expect.arrayContaining(folders.map(({ name }) => `${name}/`)))
  })

  it('names nothing that is not there', () => {
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter((name) => !existsSync(join(root, room, name)))).toEqual([])
  })
})
