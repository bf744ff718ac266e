import { describe, expect, it } from 'vitest'
import { rsvp, testDatabase } from '../fixtures.ts'

const { url } = testDatabase()

describe('rsvp without a command it knows', () => {
  const unknown = ['nonsense', '--nonsense', 'list --nonsense', 'roles nonsense', 'event', 'help nonsense', 'list 12']

  it.concurrent.each([...unknown, 'list --status', 'list --limit', 'list --statis attending'])(
    'refuses %s in two lines: what is wrong, and where it stands how it is right',
    async (line) => {
      const { code, stdout, stderr } = await rsvp(url, line.split(' '))
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toMatch(/^error: [^\n]+\nsee rsvp ([a-z]+ )?--help\n$/)
    },
  )

  it.each([
    ['list --statis attending', "error: unknown option '--statis' (Did you mean --status?)\nsee rsvp list --help\n"],
    ['roles lits', "error: unknown command 'lits' (Did you mean list?)\nsee rsvp roles --help\n"],
    [
      'event',
      'error: say which one: rsvp event, rsvp event, rsvp event translate, rsvp event language\nsee rsvp event --help\n',
    ],
    ['roles rename 1', "error: missing required argument 'name'\nsee rsvp roles rename --help\n"],
  ])('says after %s what was meant', async (line, stderr) => {
    expect(await rsvp(url, line.split(' '))).toEqual({ code: 2, signal: null, stdout: '', stderr })
  })

  const wrong = ['show abc', 'delete abc --yes', 'delete 1', 'list --since yesterday']

  it.each(wrong)('says where to look with what is wrong in %s too', async (line) => {
    const { code, stdout, stderr } = await rsvp(url, line.split(' '))
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(new RegExp(`^[^\\n]+\\nsee rsvp ${line.split(' ')[0]} --help\\n$`))
  })

  it('helps on standard output, also where nothing is set up', async () => {
    const help = await rsvp('file:/missing/rsvp.db', [])
    expect(help).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^Usage: rsvp /) })
    for (const words of [['--help'], ['help']]) expect(await rsvp('nonsense', words)).toEqual(help)
    for (const name of ['list', 'show', 'delete', 'export', 'stats', 'watch', 'seed']) {
      const { code, stdout, stderr } = await rsvp('nonsense', [name, '--help'])
      expect([code, stderr]).toEqual([0, ''])
      expect(stdout).toMatch(new RegExp(`^Usage: rsvp ${name} [^]*\\nExamples:\\n  rsvp ${name}`))
    }
  })
})
