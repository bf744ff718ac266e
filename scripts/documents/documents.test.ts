import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { describe, expect, it } from 'vitest'
import { environment } from '#db/config/environment.ts'
import { topics } from '../../cli/program/help.ts'
import { idleProgram, understand } from '../../cli/understood-fixtures.ts'
import { anchorsOf, codeOf, findDocuments, linksOf } from './documents-fixtures.ts'

const root = join(import.meta.dirname, '..', '..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const scripts: Record<string, string> = JSON.parse(read('package.json')).scripts
const documents = findDocuments(root)
/** The changelog may name what no longer exists. */
const current = documents.filter((name) => name !== 'CHANGELOG.md')
const program = idleProgram()

/** The commands and options of a call that do not exist. Calls may have placeholders, e.g. `rsvp backup restore FILE`. */
function unknownIn(call: string): string[] {
  const words = call.split(/\s+/).slice(1)
  if (words[0] === 'help') return words.slice(1).filter((topic) => !topics.has(topic))
  let command: CommandUnknownOpts = program
  for (const word of words) {
    const next = command.commands.find((known) => known.name() === word)
    if (next === undefined) break
    command = next
  }
  const known = [...command.options, ...program.options].flatMap(({ long, short }) => [long, short])
  const options = words.filter((word) => /^--?[a-z]/.test(word)).map((word) => word.replace(/[=,.].*$/, ''))
  const unknown = options.filter((option) => option !== '--help' && !known.includes(option))
  const isNoCommand = command === program && words[0] !== undefined && /^[a-z]/.test(words[0])
  return isNoCommand ? [words[0] ?? '', ...unknown] : unknown
}

describe.each(current)('%s', (name) => {
  const { inline, lines } = codeOf(read(name))

  it('names commands and options of rsvp that exist', () => {
    const calls = inline.filter((code) => /^(npx )?rsvp( |$)/.test(code)).map((code) => code.replace(/^npx /, ''))
    expect(calls.filter((call) => unknownIn(call).length > 0)).toEqual([])
  })

  it('shows calls of rsvp that the program accepts', async () => {
    const calls = lines.flatMap((line) => /(?:^|[/ ])(rsvp [a-z].*)$/.exec(line)?.[1] ?? [])
    const made = calls.filter((call) => !/\[options\]|^rsvp help /.test(call))
    for (const call of made) await expect(understand(call), call).resolves.toBeUndefined()
  })

  it('sets variables that are settings', () => {
    const set = [...inline, ...lines].flatMap((code) => /^(?:export )?([A-Z][A-Z_]+)=/.exec(code)?.[1] ?? [])
    const known = ['NO_COLOR', 'PUBLIC_NAME', ...Object.keys(environment.shape)]
    expect(set.filter((variable) => !known.includes(variable))).toEqual([])
  })

  it('names npm scripts that exist', () => {
    const named = [...inline, ...lines].flatMap(
      (code) => /^npm (?:(start|test)\b|run ([\w:]+))/.exec(code)?.slice(1) ?? [],
    )
    expect(named.filter((script) => script !== undefined && scripts[script] === undefined)).toEqual([])
  })

  it('names files and folders that exist', () => {
    const paths = inline.filter((code) => /^(db|site|cli|lab|scripts|docs)\/[\w./[\]-]+$/.test(code))
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })

  it('links to files and headings that exist', () => {
    expect(linksOf(read(name)).filter((link) => !leadsSomewhere(name, link))).toEqual([])
  })
})

describe('the documents', () => {
  it('are found, and have commands and settings to check', () => {
    expect(documents).toEqual(expect.arrayContaining(['README.md', 'docs/operating.md', 'docs/decisions/README.md']))
    const { inline, lines } = codeOf(read('docs/operating.md'))
    expect(inline).toContain('rsvp settings')
    expect(lines).toContain('TRUSTED_PROXIES=127.0.0.1')
    expect(unknownIn('rsvp nonsense')).toEqual(['nonsense'])
    expect(unknownIn('rsvp help nonsense')).toEqual(['nonsense'])
    expect(unknownIn('rsvp list --statis')).toEqual(['--statis'])
  })

  it('begin with a README of at most 7 kB', () => {
    expect(Buffer.byteLength(read('README.md'))).toBeLessThanOrEqual(7000)
  })

  it('link to every page in docs', () => {
    const starts = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md']
    const reached = starts.flatMap((name) => linksOf(read(name)).map((link) => link.replace(/#.*/, '')))
    const pages = documents.filter((name) => /^docs\/[^/]+$/.test(name))
    const fromPages = pages.flatMap((page) =>
      linksOf(read(page)).map((link) => join(dirname(page), link.replace(/#.*/, ''))),
    )
    expect(pages.filter((page) => ![...reached, ...fromPages].includes(page))).toEqual([])
  })
})

describe('containers/', () => {
  it.each([
    ['Dockerfile', /(?<=^ENV .*)\b[A-Z_]+(?==)/gm],
    ['compose.yaml', /(?<=^ {6})[A-Z_]+(?=:)/gm],
  ])('%s sets variables that are settings', (name, variable) => {
    const set = read(`containers/${name}`).match(variable) ?? []
    expect(set.length).toBeGreaterThan(1)
    expect(set.filter((setting) => !(setting in environment.shape))).toEqual([])
  })
})

function leadsSomewhere(from: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const file = path === '' ? from : join(dirname(from), path)
  if (!existsSync(join(root, file))) return false
  return anchor === undefined || anchorsOf(read(file)).includes(anchor)
}
