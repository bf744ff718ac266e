import { PassThrough } from 'node:stream'
import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import { describe, expect, it } from 'vitest'
import { environment } from '#db/config/config.ts'
import { exitCodes } from './exit-code.ts'
import { rsvp } from './fixtures.ts'
import type { Io } from './io.ts'
import { main } from './main.ts'
import { idleProgram, understand } from './understood-fixtures.ts'

/** Help needs no database; this one could not be opened. */
const noDatabase = 'file:/nonexistent/rsvp.db'

const run = (...words: string[]) => rsvp(noDatabase, words)
const program = idleProgram()
/** Every command by its full name, e.g. `mail test`, with its commander object. */
const commands = everyCommand(program)
const names = commands.map(({ name }) => name)

function everyCommand(
  parent: CommandUnknownOpts,
  path: string[] = [],
): { name: string; command: CommandUnknownOpts }[] {
  return parent.commands.flatMap((command) => {
    const words = [...path, command.name()]
    return [{ name: words.join(' '), command }, ...everyCommand(command, words)]
  })
}

describe('the help of', () => {
  it.each(commands)('rsvp $name says what it is for and what each part of it means', ({ command }) => {
    expect(command.summary()).toMatch(/^[a-z].*[^.]$/)
    expect(command.description()).toMatch(/^[A-Z].*\.$/)
    const undescribed = [...command.options, ...command.registeredArguments].filter(({ description }) => !description)
    expect(undescribed).toEqual([])
  })

  it.each(names)('rsvp %s comes with --help and with rsvp help, with two examples that work', async (name) => {
    const { code, stdout, stderr } = await run(...name.split(' '), '--help')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(new RegExp(`^Usage: rsvp ${name}( |\\n)`))
    expect(await run('help', ...name.split(' '))).toEqual({ code: 0, signal: null, stdout, stderr: '' })

    const lines = stdout.split('\nExamples:\n')[1]?.trimEnd().split('\n') ?? []
    const examples = lines.map((line) => line.trim()).filter((line) => line.startsWith('rsvp '))
    expect(examples.length, lines.join('\n')).toBeGreaterThanOrEqual(2)
    for (const example of examples.filter((line) => !line.startsWith('rsvp help '))) await understand(example)
    expect(examples.every((example) => example.startsWith(`rsvp ${name}`) || /xargs/.test(example))).toBe(true)
  })

  it('every option that is not for one command only says what it means', () => {
    expect(program.options.filter(({ description }) => !description)).toEqual([])
    expect(program.options.length).toBeGreaterThan(1)
  })

  it('rsvp itself comes without a word, and names every command with its summary', async () => {
    const { code, stdout, stderr } = await run()
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(await run('--help')).toMatchObject({ code: 0, stdout })
    expect(await run('help')).toMatchObject({ code: 0, stdout })
    for (const { name, command } of commands.filter((known) => !known.name.includes(' '))) {
      const inOneLine = stdout.replace(/\n {20,}/g, ' ')
      expect(inOneLine).toMatch(new RegExp(`^ {2}${name}( \\S+)* {2,}${command.summary()}$`, 'm'))
    }
  })
})

/** A command to copy, or one word that is longer than the room for it. */
const UNBREAKABLE = /^ {2}(rsvp|\d+ \d+) |^ {23,29}\S+$/

describe.each([60, 80, 200])('the help on a terminal of %i columns', (columns) => {
  it('breaks its sentences at that width, and no command', async () => {
    const shown = names.map((name) => [...name.split(' '), '--help'])
    for (const words of [['--help'], ['help', 'cron'], ['help', 'environment'], ['help', 'exit-codes'], ...shown]) {
      const stdout = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: true, columns })
      await main(words, { stdout, stderr: stdout } as unknown as Io)
      const text: string = stdout.read()
      expect(text).toMatch(/^(Usage:|Lines|Settings,|What) /)
      const wide = text.split('\n').filter((line) => line.length > columns && !UNBREAKABLE.test(line))
      expect([words, wide]).toEqual([words, []])
    }
  })
})

describe('rsvp help', () => {
  it('explains every setting there is', async () => {
    const { code, stdout } = await run('help', 'environment')
    expect(code).toBe(0)
    const explained = Array.from(stdout.matchAll(/^ {2}([A-Z_\d]+) {2,}[A-Za-z]/gm), ([, name]) => name)
    expect(explained).toEqual(Object.keys(environment.shape))
    expect(stdout).toMatch(/^ {2}PORT .+ \(default: 4321\)$/m)
  })

  it('names exactly the exit codes there are', async () => {
    const { code, stdout } = await run('help', 'exit-codes')
    expect(code).toBe(0)
    const told = Array.from(stdout.matchAll(/^ {2}(\d+) +(.+)$/gm), ([, number, text]) => [number, text])
    expect(told.map(([number]) => Number(number))).toEqual(Object.values(exitCodes))
  })
})

describe('what rsvp does not understand', () => {
  it.each([
    ['help nonsense', "error: there is no help on 'nonsense'\nsee rsvp --help\n"],
    ['help mail constructor', "error: there is no help on 'mail constructor'\nsee rsvp --help\n"],
    ['--nonsense', /^error: [^\n]+\nsee rsvp --help\n$/],
    ['list 12', /^error: [^\n]+\nsee rsvp list --help\n$/],
    ['list --limit', /^error: [^\n]+\nsee rsvp list --help\n$/],
    ['list --statis attending', "error: unknown option '--statis' (Did you mean --status?)\nsee rsvp list --help\n"],
    ['mail tset', "error: unknown command 'tset' (Did you mean test?)\nsee rsvp mail --help\n"],
    ['mail', 'error: say which one: rsvp mail test, rsvp mail retry\nsee rsvp mail --help\n'],
    ['show', "error: missing required argument 'id'\nsee rsvp show --help\n"],
    ['lsit', "error: unknown command 'lsit' (Did you mean list?)\nsee rsvp --help\n"],
  ])('is refused after %s, which says what was meant and where it stands how it is right', async (line, sentence) => {
    const stderr = typeof sentence === 'string' ? sentence : expect.stringMatching(sentence)
    expect(await run(...line.split(' '))).toEqual({ code: 2, signal: null, stdout: '', stderr })
  })
})
