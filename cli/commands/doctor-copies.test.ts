import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { damage, testCopies } from '../copies-fixtures.ts'
import { inDatabase, rsvp } from '../fixtures.ts'

const { folder, url, away, env, run, backUp } = testCopies()

/** What is said of copies and drills, e.g. `warning Restore drill: …`. */
async function told(variables: Record<string, string> = {}): Promise<string[]> {
  const { stdout } = await rsvp(url, ['doctor'], { env: { ...env, PORT: '9', ...variables } })
  const lines = stdout.split('\n').map((line) => line.split('\t'))
  return lines
    .filter(([, name]) => name === 'Copies' || name === 'Restore drill')
    .map(([state, name, text]) => `${state} ${name}: ${text}`)
}

/** Lets everything in the audit be so many days older. */
function age(days: number): void {
  const past = `strftime('%Y-%m-%dT%H:%M:%fZ', at, '-${days} days')`
  inDatabase(url, (rows) => rows.exec(`UPDATE audit_entries SET at = ${past}`))
}

describe('rsvp doctor', () => {
  it('says nothing of copies where there is no backup yet, or none is made', async () => {
    expect(await told()).toEqual([])
    expect(await told({ BACKUP_COPY_TO: '', BACKUP_DIR: '' })).toEqual([])
  })

  it('says when the last copy was sent, and when it was last proved', async () => {
    await backUp()
    const sent = `ok Copies: the last one was sent to ${away} within the last hour`
    const todo = 'Start the site, which makes one every month, or run `rsvp backup verify`.'
    expect(await told()).toEqual([
      sent,
      `warning Restore drill: It is not known whether a backup can be restored. ${todo}`,
    ])
    expect(await told({ BACKUP_COPY_IDENTITY_FILE: '' })).toEqual([
      sent,
      expect.stringMatching(/^warning .+ Set BACKUP_COPY_IDENTITY_FILE, or run `rsvp backup verify` on a machine that/),
    ])
    await run(['verify'])
    const proved = 'Restore drill: the newest backup was restored beside the database'
    expect(await told()).toEqual([sent, `ok ${proved} within the last hour`])
    age(3)
    expect(await told()).toEqual([
      `wrong Copies: the last one was sent to ${away} 3 days ago. Run \`rsvp backup\`, and see why no newer one was sent.`,
      `ok ${proved} 3 days ago`,
    ])
    age(38)
    expect((await told())[1]).toBe(`warning ${proved} 41 days ago. Run \`rsvp backup verify\`.`)
  })

  it('wants a copy at the place that is set now, and encrypted', async () => {
    await backUp()
    const other = join(folder, 'other')
    expect((await told({ BACKUP_COPY_TO: other }))[0]).toBe(
      `wrong Copies: None has been sent to ${other}: run \`rsvp backup\`.`,
    )
    expect((await told({ BACKUP_COPY_RECIPIENT: '' }))[0]).toMatch(
      /^wrong Copies: BACKUP_COPY_TO needs BACKUP_COPY_RECIP/,
    )
  })

  it.each<[string, (copy: string) => unknown]>([
    ['is damaged', damage],
    ['is not the last one that was sent', (copy) => renameSync(copy, copy.replace(/rsvp-\d{4}/, 'rsvp-2020'))],
    ['is not as the site has sent it', (copy) => renameSync(copy, copy.replace('30-30-30', '9-9-9'))],
    ['is missing', (copy) => rmSync(copy)],
  ])('says that the newest one %s, until a drill has passed', async (meaning, change) => {
    change(await backUp())
    await run(['verify'])
    const todo = 'Run `npx rsvp backup verify`, which says what to do.'
    expect((await told())[1]?.replace(/\d{4}-\d\d-\d\d/, 'DAY')).toBe(
      `wrong Restore drill: The restore drill of DAY failed: the newest backup ${meaning}. ${todo}`,
    )
    await backUp()
    await run(['verify'])
    expect((await told())[1]).toMatch(/^ok Restore drill: /)
  })
})
