import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { inShell, rsvp, shellInTerminal } from '../fixtures.ts'

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
    ['list --st', '--status --standing'],
    ['list --status not', 'not-attending'],
    ['service ', 'install list uninstall help'],
    ['features ', 'calendarIntegration familyRsvp volunteerSignup'],
    ['features --json familyRsvp on ', 'calendarIntegration volunteerSignup'],
    ['settings publicNames=c', 'counts'],
    ['settings publicNames=counts retentionDays=', 'off 30 90 365'],
    ['schedule --closes ', 'none 1h 2h 1d'],
    ['schedule --time-zone America/Chi', 'America/Chicago America/Chihuahua'],
    ['stats --week ', 'this next last all'],
    ['nothing-like-it', ''],
  ])('prints what may follow %j', async (line, expected) => {
    const { code, stdout, stderr } = await rsvp(noDatabase, ['complete', '--', ...line.split(' ')])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const lines = stdout.trimEnd().split('\n')
    expect(lines.pop()).toMatch(/^:\d+$/)
    expect(lines.map((text) => text.split('\t')[0]).join(' ')).toBe(expected)
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
    bash.press('--stat\t')
    await bash.shows(/rsvp list --status$/m)
    bash.press('not\t')
    await bash.shows(/rsvp list --status not-attending$/m)
    bash.press('\u0015rsvp rol\t\t')
    await bash.shows(/^roles +rollback/m)
    bash.kill('SIGKILL')
  })
})
