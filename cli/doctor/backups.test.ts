import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { damage, testCopies } from '../copies-fixtures.ts'
import { inDatabase, rsvp } from '../fixtures.ts'

const { folder, url, backups, away, env, run, backUp } = testCopies()

/** What is said of backups, e.g. `warning Restore drill: …`. */
async function told(variables: Record<string, string> = {}): Promise<string[]> {
  const { stdout } = await rsvp(url, ['doctor'], { env: { ...env, PORT: '9', ...variables } })
  const lines = stdout.split('\n').map((line) => line.split('\t'))
  return lines
    .filter(([, name]) => ['Backup', 'Copies', 'Restore drill'].includes(String(name)))
    .map(([state, name, text]) => `${state} ${name}: ${text}`)
}

/** Lets everything in the audit be so many days older. */
function age(days: number): void {
  const past = `strftime('%Y-%m-%dT%H:%M:%fZ', at, '-${days} days')`
  inDatabase(url, (rows) => rows.exec(`UPDATE audit_entries SET at = ${past}`))
}

describe('rsvp doctor', () => {
  it('says when the last good backup was made, and when there is reason to worry', async () => {
    const backup = async () => (await told({ BACKUP_DIR: '', BACKUP_COPY_TO: '' }))[0]
    expect(await backup()).toMatch(/^wrong Backup: There is none: set BACKUP_DIR/)
    await run(['--no-copy', '--json'])
    expect(await backup()).toMatch(/^ok Backup: .+ within the last hour: \S+\.db$/)
    rmSync(backups, { recursive: true })
    mkdirSync(backups)
    expect(await backup()).toMatch(/^wrong Backup: .+it no longer exists/)
    const madeAgo = (days: number) => {
      const moment = new Date(Date.now() - days * 24 * 3600 * 1000).toISOString()
      writeFileSync(join(backups, `rsvp-${moment.replaceAll(':', '-')}.db`), '')
    }
    madeAgo(-2)
    expect(await backup()).toMatch(
      /^wrong Backup: According to the clock, \S+ was made in the future: .+ Correct it \(`date`\), keep the file, and run `rsvp backup`\.$/,
    )
    madeAgo(9)
    expect(await backup()).toMatch(/^wrong Backup: .+9 days ago/)
    madeAgo(3)
    expect(await backup()).toMatch(/^ok Backup: .+3 days ago/)
  })

  it('looks for a folder for backups, and makes none; says nothing of copies where there is no backup yet', async () => {
    const todo = 'start the site, which makes one every night, or run `rsvp backup`.'
    expect(await told()).toEqual([`wrong Backup: There is none in ${backups}: ${todo}`])
    expect(existsSync(backups)).toBe(false)
    const [missing] = await told({ BACKUP_DIR: join(backups, 'disk') })
    expect(missing).toContain(`There is no folder ${backups} in which`)
  })

  it('says when the last copy was sent, and when it was last proved', async () => {
    await backUp()
    const sent = `ok Copies: the last one was sent to ${away} within the last hour`
    const todo = 'Start the site, which makes one every month, or run `rsvp backup verify`.'
    expect((await told()).slice(1)).toEqual([
      sent,
      `warning Restore drill: It is not known whether a backup can be restored. ${todo}`,
    ])
    expect((await told({ BACKUP_COPY_IDENTITY_FILE: '' })).slice(1)).toEqual([
      sent,
      expect.stringMatching(/^warning .+ Set BACKUP_COPY_IDENTITY_FILE, or run `rsvp backup verify` on a machine that/),
    ])
    await run(['verify'])
    const proved = 'Restore drill: the newest backup was restored beside the database'
    expect((await told()).slice(1)).toEqual([sent, `ok ${proved} within the last hour`])
    age(3)
    expect((await told()).slice(1)).toEqual([
      `wrong Copies: the last one was sent to ${away} 3 days ago. Run \`rsvp backup\`, and see why no newer one was sent.`,
      `ok ${proved} 3 days ago`,
    ])
    age(38)
    expect((await told()).at(-1)).toBe(`warning ${proved} 41 days ago. Run \`rsvp backup verify\`.`)
  })

  it('wants a copy at the place that is set now, and encrypted', async () => {
    await backUp()
    const other = join(folder, 'other')
    const none = `wrong Copies: None has been sent to ${other}: run \`rsvp backup\`.`
    expect(await told({ BACKUP_COPY_TO: other })).toContain(none)
    expect((await told({ BACKUP_COPY_RECIPIENT: '' }))[1]).toMatch(
      /^wrong Copies: BACKUP_COPY_TO needs BACKUP_COPY_RECIP/,
    )
  })

  it('says that the newest one failed its drill, until one has passed', async () => {
    damage(await backUp())
    await run(['verify'])
    expect((await told()).at(-1)).toMatch(
      /^wrong Restore drill: The restore drill of [\d-]+ failed: the newest backup is damaged\. Run `npx rsvp backup verify`/,
    )
    rmSync(away, { recursive: true, force: true })
    await backUp()
    await run(['verify'])
    expect((await told()).at(-1)).toMatch(/^ok Restore drill: /)
  })
})
