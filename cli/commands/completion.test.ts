import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { hostile, inShell, rsvp, shellInTerminal, testDatabase } from '../fixtures.ts'

/** None of this needs a database; this one could not be opened. */
const noDatabase = 'file:/nonexistent/rsvp.db'
const bashCompletion = '/usr/share/bash-completion/bash_completion'
/** The one function that the script takes from the package bash-completion, for machines that do not have it. */
const standIn = `_get_comp_words_by_ref() {
  words=("\${COMP_WORDS[@]}"); cword=$COMP_CWORD; cur=\${words[cword]}; prev=\${words[cword-1]}; }`

describe('rsvp completion', () => {
  it.each([
    ['bash', 'complete -F __rsvp_complete rsvp'],
    ['zsh', '#compdef rsvp'],
    ['fish', 'complete -c rsvp '],
  ])('prints a script for %s that asks rsvp', async (shell, registration) => {
    const { code, stdout, stderr } = await rsvp(noDatabase, ['completion', shell])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(registration)
    expect(stdout).toContain('rsvp complete -- ')
  })

  it.each([[['tcsh']], [[]]])('refuses %j', async (words) => {
    expect(await rsvp(noDatabase, ['completion', ...words])).toMatchObject({ code: 2, stdout: '' })
  })
})

describe('the script for bash', () => {
  it('can be loaded twice, as a changed .bashrc is, and makes no function that completions of other programs look for', async () => {
    const functions = 'declare -F | cut -d" " -f3 | grep -v ^__rsvp_ || true'
    const line = `source <(rsvp completion bash); source <(rsvp completion bash); complete -p rsvp; ${functions}`
    const stdout = 'complete -F __rsvp_complete rsvp\n'
    expect(await inShell(noDatabase, line)).toEqual({ code: 0, signal: null, stdout, stderr: '' })
  })
})

describe('rsvp complete', () => {
  it.each([
    ['list --st', '--status'],
    ['list --status not', 'not-attending'],
    ['service ', 'install list uninstall help'],
    ['features ', 'calendarIntegration familyRsvp volunteerSignup'],
    ['features --json familyRsvp on ', 'calendarIntegration volunteerSignup'],
    ['settings publicNames=c', 'counts'],
    ['settings publicNames=counts retentionDays=', 'off 30 90 365'],
    ['schedule --closes ', 'none 1h 2h 1d'],
    ['schedule --time-zone America/Chi', 'America/Chicago America/Chihuahua'],
    ['stats --week ', 'this next last all'],
    ['roles ', ''],
    ['nothing-like-it', ''],
  ])('prints what may follow %j', async (line, expected) => {
    const { code, stdout, stderr } = await rsvp(noDatabase, ['complete', '--', ...line.split(' ')])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const lines = stdout.trimEnd().split('\n')
    expect(lines.pop()).toMatch(/^:\d+$/)
    expect(lines.map((text) => text.split('\t')[0]).join(' ')).toBe(expected)
  })
})

describe('the roles that rsvp complete offers', () => {
  const { url } = testDatabase()
  const file = url.slice('file:'.length)
  const offered = async (database: string, ...words: string[]) => {
    const { code, stdout, stderr } = await rsvp(database, ['complete', '--', ...words])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return stdout.split('\n').slice(0, -2)
  }

  beforeAll(async () => {
    await rsvp(url, ['roles', hostile, '--add'])
    await rsvp(url, ['roles', 'Usher', '--retire'])
  })

  it('are those of the database: by name where that is one word, otherwise by number', async () => {
    const before = [readFileSync(file), readdirSync(dirname(file))]
    expect(await offered(url, 'roles', '')).toEqual([
      'Greeter\trole 1',
      'Usher\trole 2',
      'Music\trole 3',
      "4\tChildren's Class",
      '5\tAudio and Video',
      '6\tFellowship Meal',
      '7\tEve  Doe',
    ])
    expect(await offered(noDatabase, '--db', url, 'roles', 'U')).toEqual(['Usher\trole 2'])
    expect(await offered(noDatabase, '--db', file, 'roles', 'U')).toEqual(['Usher\trole 2'])
    expect(await offered(url, 'roles', 'Usher', '')).toEqual([])
    expect([readFileSync(file), readdirSync(dirname(file))]).toEqual(before)
  })

  it.each([
    ['nothing in it', ''],
    ['no database in it', 'x'.repeat(5000)],
  ])('are none of a file with %s, which stays as it is', async (_, text) => {
    const other = join(dirname(file), 'other.db')
    writeFileSync(other, text)
    expect(await offered(`file:${other}`, 'roles', '')).toEqual([])
    expect(readFileSync(other, 'utf8')).toBe(text)
    expect(readdirSync(dirname(file)).filter((name) => name.startsWith('other.db'))).toEqual(['other.db'])
  })

  it('are none of a file that a crash left half written, which the next command repairs', async () => {
    const journal = `${file}-journal`
    writeFileSync(journal, 'x'.repeat(600))
    expect(await offered(url, 'roles', '')).toEqual([])
    expect(readFileSync(journal, 'utf8')).toBe('x'.repeat(600))
    rmSync(journal)
  })
})

describe('the days that rsvp complete offers', () => {
  const { url } = testDatabase()
  const offered = async (...words: string[]) => {
    const { code, stdout, stderr } = await rsvp(url, ['complete', '--', 'schedule', ...words])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return stdout.split('\n').slice(0, -2)
  }

  it('are none while the schedule is a guess, then the next eight services to skip, and the skipped ones to hold', async () => {
    expect([await offered('--skip', ''), await offered('--unskip', '')]).toEqual([[], []])
    await rsvp(url, ['schedule', '--weekday', 'sunday', '--start', '00:00', '--time-zone', 'UTC'])
    const { stdout } = await rsvp(url, ['schedule', '--json'])
    const next: string[] = JSON.parse(stdout).services.map(({ date }: { date: string }) => date)
    const daysOf = (lines: string[]) => lines.map((line) => line.split('\t')[0])
    const first = await offered('--skip', '')
    expect(first).toHaveLength(8)
    expect(first[0]).toMatch(/^\d{4}-\d\d-\d\d\tSunday, /)
    expect(daysOf(first)).toEqual(next)
    const [second = '', third = ''] = next.slice(1)
    await rsvp(url, ['schedule', '--skip', second, third])
    expect(daysOf(await offered('--unskip', ''))).toEqual([second, third])
  })
})

describe('a real bash', () => {
  it.each([
    ['with the package bash-completion', existsSync(bashCompletion) ? `source ${bashCompletion}` : standIn],
    ['without it', ':'],
  ])('completes commands and options after the tabulator, %s', async (_, prelude) => {
    const bash = shellInTerminal(noDatabase, { columns: 120 })
    bash.press(`${prelude}\rsource <(rsvp completion bash); clear; echo loa''ded\r`)
    await bash.shows(/^loaded\n/)
    bash.press('rsvp li\t')
    await bash.shows(/^\S+ rsvp list$/m)
    bash.press('--st\t')
    await bash.shows(/rsvp list --status$/m)
    bash.press('not\t')
    await bash.shows(/rsvp list --status not-attending$/m)
    bash.press('\u0015rsvp rol\t\t')
    await bash.shows(/^roles +rollback/m)
    bash.kill('SIGKILL')
  })
})
