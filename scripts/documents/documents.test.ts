import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { environment } from '#db/config/config.ts'
import { topics } from '../../cli/help.ts'
import { everyCommand, understand } from '../../cli/program-fixtures.ts'
import { root } from '../local-node.mjs'

const read = (name: string) => readFileSync(join(root, name), 'utf8')
const scripts: Record<string, string> = JSON.parse(read('package.json')).scripts
/** The changelog may name what no longer exists. */
const documents = globSync('{*.md,docs/**/*.md,{db,site,cli,lab,scripts}/**/*.md}', { cwd: root })
  .filter((name) => name !== 'CHANGELOG.md')
  .sort()
const commands = await everyCommand()
const BLOCK = /^```\w*\n(.*?)^```$/gms

/** What a pattern captures in a text, everywhere. */
function allIn(text: string, pattern: RegExp): string[] {
  return Array.from(text.matchAll(pattern), ([, captured = '']) => captured)
}

/** The commands and options of a call that do not exist. Calls may have placeholders, e.g. `rsvp backup restore FILE`. */
function unknownIn(call: string): string[] {
  const [name = '', ...words] = call.split(/\s+/).slice(1)
  if (name === 'help') return words.filter((topic) => !topics.has(topic))
  const command = commands.get(`${name} ${words[0]}`) ?? commands.get(name)
  if (command === undefined) return /^[a-z]/.test(name) ? [name] : []
  const known = [...command.options, ...(commands.get(name)?.commands ?? []).flatMap(({ options }) => options)]
  const names = ['--help', '--db', '--quiet', ...known.flatMap(({ long, short }) => [long, short])]
  const options = words.filter((word) => /^--?[a-z]/.test(word)).map((word) => word.replace(/[=,.].*$/, ''))
  return options.filter((option) => !names.includes(option))
}

function leadsSomewhere(from: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const file = path === '' ? from : join(dirname(from), path)
  if (!existsSync(join(root, file))) return false
  const headings = anchor === undefined ? [] : allIn(read(file).replace(BLOCK, ''), /^#+ (.+)$/gm)
  const anchors = headings.map((heading) => heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, ''))
  return anchor === undefined || anchors.some((words) => words.replaceAll(' ', '-') === anchor)
}

describe.each(documents)('%s', (name) => {
  const sentences = read(name).replace(BLOCK, '')
  const inline = allIn(sentences, /`([^`\n]+)`/g)
  const lines = allIn(read(name), BLOCK).flatMap((block) => block.split('\n'))
  const captured = (pattern: RegExp) => [...inline, ...lines].flatMap((code) => pattern.exec(code)?.[1] ?? [])

  it('names commands, options, settings and scripts that exist', () => {
    const calls = inline.filter((code) => /^(npx )?rsvp( |$)/.test(code)).map((code) => code.replace(/^npx /, ''))
    expect(calls.filter((call) => unknownIn(call).length > 0)).toEqual([])
    const settings = ['NO_COLOR', 'PUBLIC_NAME', ...Object.keys(environment.shape)]
    expect(captured(/^(?:export )?([A-Z][A-Z_]+)=/).filter((variable) => !settings.includes(variable))).toEqual([])
    const known = ['ci', 'install', 'prune', 'run', 'uninstall', ...Object.keys(scripts)]
    expect(captured(/^npm (?:run )?([\w:]+)/).filter((script) => !known.includes(script))).toEqual([])
  })

  it('shows calls of rsvp that the program accepts', async () => {
    const calls = lines.flatMap((line) => /(?:^|[/ ])(rsvp [a-z].*)$/.exec(line)?.[1] ?? [])
    const made = calls.filter((call) => !/\[options\]|^rsvp help /.test(call))
    for (const call of made) await expect(understand(call), call).resolves.toBeUndefined()
  })

  it('leads to files and headings that exist', () => {
    const paths = inline.filter((code) => /^(db|site|cli|lab|scripts|docs)\/[\w./[\]-]+$/.test(code))
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
    const links = allIn(sentences, /(?:\]\(|src=")(?!\w+:)([^)"\s]+)[)"]/g)
    expect(links.filter((link) => !leadsSomewhere(name, link))).toEqual([])
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
