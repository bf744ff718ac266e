import { describe, expect, it } from 'vitest'
import { exitCodes } from './errors.ts'
import { rsvp } from './fixtures.ts'
import { everyCommand, understand } from './program-fixtures.ts'

/** Uses a database that cannot be opened, because help must not need one. */
const run = (...words: string[]) => rsvp('file:/nonexistent/rsvp.db', words)
const commands = await everyCommand()

describe('the help of', () => {
  it.each(Array.from(commands.keys()))(
    'rsvp %s says what each part means, with two examples that work',
    async (name) => {
      const command = commands.get(name)
      expect(command?.description()).toMatch(/^[A-Z].*\.$/)
      const parts = [...(command?.options ?? []), ...(command?.registeredArguments ?? [])]
      expect(parts.filter(({ description }) => !description)).toEqual([])
      const { code, stdout, stderr } = await run(...name.split(' '), '--help')
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toMatch(new RegExp(`^Usage: rsvp ${name}( |\\n)`))
      expect((await run('help', ...name.split(' '))).stdout).toBe(stdout)

      const lines = stdout.split('\nExamples:\n')[1]?.trimEnd().split('\n') ?? []
      const examples = lines.map((line) => line.trim()).filter((line) => line.startsWith('rsvp '))
      expect(examples.length, lines.join('\n')).toBeGreaterThanOrEqual(2)
      for (const example of examples) await understand(example)
    },
  )

  it('rsvp itself comes without a word, and names every command with its summary', async () => {
    const { code, stdout, stderr } = await run()
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const words of [['--help'], ['help']]) expect(await run(...words)).toMatchObject({ code: 0, stdout })
    for (const [name, command] of commands) {
      if (!name.includes(' ')) expect(stdout).toMatch(new RegExp(`^ {2}${name} {2,}${command.summary()}$`, 'm'))
    }
  })
})

it('rsvp help exit-codes names exactly those there are', async () => {
  const { code, stdout } = await run('help', 'exit-codes')
  expect(code).toBe(0)
  const listed = Array.from(stdout.matchAll(/^ {2}(\d+) +.+$/gm), ([, number]) => Number(number))
  expect(listed).toEqual(Object.values(exitCodes))
})

describe('a wrong call of rsvp', () => {
  it.each([
    ['--nonsense', /^error: [^\n]+\nsee rsvp --help\n$/],
    [
      'list --statis attending',
      /^error: unknown option '--statis'\n\(Did you mean --status\?\)\nsee rsvp list --help\n$/,
    ],
    ['mail tset', /^error: unknown command 'tset'\n\(Did you mean test\?\)\nsee rsvp mail --help\n$/],
    ['mail', /^Usage: rsvp mail /],
    ['show', /^error: missing required argument 'id'\nsee rsvp show --help\n$/],
    ['lsit', /^error: unknown command 'lsit'\n\(Did you mean list\?\)\nsee rsvp --help\n$/],
  ])('is refused after %s, with the nearest name and which help to read', async (line, sentence) => {
    const stderr = expect.stringMatching(sentence)
    expect(await run(...line.split(' '))).toEqual({ code: 2, stdout: '', stderr })
  })
})
