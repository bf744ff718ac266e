import { describe, expect, it } from 'vitest'
import { rsvp, testDatabase } from '../fixtures.ts'

const { url } = testDatabase()

describe('rsvp without a command it knows', () => {
  const unknown = [
    'nonsense',
    '--nonsense',
    'list --nonsense',
    'service nonsense',
    'service',
    'help nonsense',
    'list 12',
  ]

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
    ['service lits', "error: unknown command 'lits' (Did you mean list?)\nsee rsvp service --help\n"],
    [
      'service',
      'error: say which one: rsvp service install, rsvp service list, rsvp service uninstall\nsee rsvp service --help\n',
    ],
    ['turnout last', "error: missing required argument 'people'\nsee rsvp turnout --help\n"],
    ['lsit', "error: unknown command 'lsit' (Did you mean list?)\nsee rsvp --help\n"],
    ['update --site main', 'error: --site means nothing here: this is about no single site\nsee rsvp update --help\n'],
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
    for (const name of ['list', 'show', 'delete', 'export', 'stats', 'settings']) {
      const { code, stdout, stderr } = await rsvp('nonsense', [name, '--help'])
      expect([code, stderr]).toEqual([0, ''])
      expect(stdout).toMatch(new RegExp(`^Usage: rsvp ${name} [^]*\\nExamples:\\n  rsvp ${name}`))
    }
  })
})
