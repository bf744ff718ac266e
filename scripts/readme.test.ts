import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { environment } from '#db/config/environment.ts'

const root = join(import.meta.dirname, '..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const scripts: Record<string, string> = JSON.parse(read('package.json')).scripts

function section(markdown: string, title: string): string {
  return markdown.split(/^## /m).find((part) => part.startsWith(title)) ?? ''
}

describe('the documentation', () => {
  const variables = Object.keys(environment.shape)

  it('lists exactly the settings there are, with their defaults', () => {
    const rows = [...section(read('README.md'), 'Settings').matchAll(/^\| `(\w+)` +\| +(?:`([^`]*)`)? *\|/gm)]
    expect(rows.map(([, name]) => name)).toEqual(variables)
    const defaults = environment.parse({})
    for (const [, name, given] of rows) {
      expect([name, given]).toEqual([
        name,
        Object.entries(defaults)
          .find(([key]) => key === name)?.[1]
          ?.toString(),
      ])
    }
  })

  it('shows each of them in .env.example', () => {
    const shown = [...read('.env.example').matchAll(/^# ([A-Z_]+)=/gm)].map(([, name]) => name)
    expect(shown).toEqual(variables)
  })

  it.each(['README.md', 'CONTRIBUTING.md'])('names only npm scripts that exist (%s)', (name) => {
    const named = [...read(name).matchAll(/npm (?:(start|test)|run ([\w:]+))/g)].map(([, short, long]) => short ?? long)
    expect(named).toContain('start')
    expect(named.filter((script) => script === undefined || scripts[script] === undefined)).toEqual([])
  })

  it('links only to files that exist', () => {
    for (const name of ['README.md', 'CONTRIBUTING.md', 'docs/decisions/README.md']) {
      const folder = join(root, name, '..')
      for (const [, path] of read(name).matchAll(/(?:\]\(|src=")(?!https?:)([^)#"]+)[)"]/g)) {
        expect(() => readFileSync(join(folder, path ?? '')), `${name}: ${path}`).not.toThrow()
      }
    }
  })
})
