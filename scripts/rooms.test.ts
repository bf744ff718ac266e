import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

describe.each(['db', 'site', 'cli', 'lab', 'scripts'])('the README of %s', (room) => {
  const lines = readFileSync(join(root, room, 'README.md'), 'utf8').match(/^- .*$/gm) ?? []

  it('names every folder and every file that is not a test, and nothing else', () => {
    const entries = readdirSync(join(root, room), { withFileTypes: true })
    const named = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    const wanted = named.filter((name) => name !== 'README.md' && !/\.test\.tsx?$/.test(name))
    expect(lines.map((line) => /^- `(.+?)`/.exec(line)?.[1]).sort()).toEqual(wanted.sort())
  })

  it('says a sentence about each', () => {
    expect(lines.filter((line) => !/^- `[^`]+`: [^:]{15,}.*\.$/.test(line))).toEqual([])
  })
})
