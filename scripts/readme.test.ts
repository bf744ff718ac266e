import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const scripts: Record<string, string> = JSON.parse(read('package.json')).scripts

describe('the documentation', () => {
  it.each(['README.md', 'CONTRIBUTING.md'])('names only npm scripts that exist (%s)', (name) => {
    const named = [...read(name).matchAll(/npm (?:(start|test)|run ([\w:]+))/g)].map(([, short, long]) => short ?? long)
    expect(named).toContain('start')
    expect(named.filter((script) => script === undefined || scripts[script] === undefined)).toEqual([])
  })

  it('links only to files that exist', () => {
    for (const name of ['README.md', 'CONTRIBUTING.md', 'docs/decisions/README.md', 'docs/settings.md']) {
      const folder = join(root, name, '..')
      for (const [, path] of read(name).matchAll(/(?:\]\(|src=")(?!https?:)([^)#"]+)[)"]/g)) {
        expect(() => readFileSync(join(folder, path ?? '')), `${name}: ${path}`).not.toThrow()
      }
    }
  })
})
