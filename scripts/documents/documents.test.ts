import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { describe, expect, it } from 'vitest'
import { environment } from '#db/config/config.ts'
import { topics } from '../../cli/program/help.ts'
import { idleProgram, understand } from '../../cli/understood-fixtures.ts'

const root = join(import.meta.dirname, '..', '..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const scripts: Record<string, string> = JSON.parse(read('package.json')).scripts
/** The changelog may name what no longer exists. */
const documents = globSync('{*.md,docs/**/*.md,{db,site,cli,lab,scripts}/**/*.md}', { cwd: root })
  .filter((name) => name !== 'CHANGELOG.md')
  .sort()
const program = idleProgram()
const BLOCK = /^```\w*\n(.*?)^```$/gms

/** The code in a document: within sentences, and the lines of its blocks. */
function codeOf(markdown: string): { inline: string[]; lines: string[] } {
  const inline = Array.from(markdown.replace(BLOCK, '').matchAll(/`([^`\n]+)`/g), ([, code = '']) => code)
  const lines = Array.from(markdown.matchAll(BLOCK), ([, block = '']) => block.split('\n')).flat()
  return { inline, lines }
}

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
  const [name = ''] = words
  return command === program && /^[a-z]/.test(name) ? [name, ...unknown] : unknown
}

function anchorsOf(markdown: string): string[] {
  const headings = markdown.replace(BLOCK, '').matchAll(/^#+ (.+)$/gm)
  const words = Array.from(headings, ([, heading = '']) => heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, ''))
  return words.map((heading) => heading.replaceAll(' ', '-'))
}

function leadsSomewhere(from: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const file = path === '' ? from : join(dirname(from), path)
  if (!existsSync(join(root, file))) return false
  return anchor === undefined || anchorsOf(read(file)).includes(anchor)
}

describe.each(documents)('%s', (name) => {
  const { inline, lines } = codeOf(read(name))

  it('names commands, options, settings and scripts that exist', () => {
    const calls = inline.filter((code) => /^(npx )?rsvp( |$)/.test(code)).map((code) => code.replace(/^npx /, ''))
    expect(calls.filter((call) => unknownIn(call).length > 0)).toEqual([])
    const set = [...inline, ...lines].flatMap((code) => /^(?:export )?([A-Z][A-Z_]+)=/.exec(code)?.[1] ?? [])
    const settings = ['NO_COLOR', 'PUBLIC_NAME', ...Object.keys(environment.shape)]
    expect(set.filter((variable) => !settings.includes(variable))).toEqual([])
    const named = [...inline, ...lines].flatMap((code) => /^npm (?:run )?([\w:]+)/.exec(code)?.[1] ?? [])
    const ofNpm = ['ci', 'install', 'prune', 'run', 'uninstall']
    expect(named.filter((script) => !ofNpm.includes(script) && scripts[script] === undefined)).toEqual([])
  })

  it('shows calls of rsvp that the program accepts', async () => {
    const calls = lines.flatMap((line) => /(?:^|[/ ])(rsvp [a-z].*)$/.exec(line)?.[1] ?? [])
    const made = calls.filter((call) => !/\[options\]|^rsvp help /.test(call))
    for (const call of made) await expect(understand(call), call).resolves.toBeUndefined()
  })

  it('leads to files and headings that exist', () => {
    const paths = inline.filter((code) => /^(db|site|cli|lab|scripts|docs)\/[\w./[\]-]+$/.test(code))
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
    const links = read(name)
      .replace(BLOCK, '')
      .matchAll(/(?:\]\(|src=")(?!\w+:)([^)"\s]+)[)"]/g)
    expect(Array.from(links, ([, link = '']) => link).filter((link) => !leadsSomewhere(name, link))).toEqual([])
  })
})

it('finds what does not exist', () => {
  expect(documents).toEqual(expect.arrayContaining(['README.md', 'docs/operating.md', 'docs/decisions/README.md']))
  const calls = ['rsvp nonsense', 'rsvp help nonsense', 'rsvp list --statis']
  expect(calls.flatMap(unknownIn)).toEqual(['nonsense', 'nonsense', '--statis'])
})

it.each([
  ['Dockerfile', /(?<=^ENV .*)\b[A-Z_]+(?==)/gm],
  ['compose.yaml', /(?<=^ {6})[A-Z_]+(?=:)/gm],
])('containers/%s sets variables that are settings', (name, variable) => {
  const set = read(`containers/${name}`).match(variable) ?? []
  expect(set.length).toBeGreaterThan(1)
  expect(set.filter((setting) => !(setting in environment.shape))).toEqual([])
})
