import { copyFileSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { damage, renameUnmarked, testCopies } from '../copies-fixtures.ts'
import { inDatabase, rsvp, testFolder } from '../fixtures.ts'

const { folder, away, identity, backUp, withoutKey } = testCopies()

describe('rsvp backup restore, of a copy', () => {
  /** All that a new server has: the identity, and where the copies are. */
  const known = () => ({ BACKUP_COPY_TO: away, BACKUP_COPY_IDENTITY_FILE: identity })
  const restore = (target: string, words: string[], variables = {}) =>
    rsvp(target, ['backup', 'restore', ...words, '--yes'], { env: { ...known(), ...variables } })

  it('brings everything back to a new server, which knows nothing but the identity and the place', async () => {
    await backUp()
    const { url: fresh } = testFolder()
    const listed = await rsvp(fresh, ['backup', 'list'], { env: known() })
    const file = listed.stdout.trim().split('\t').at(-1) ?? ''
    expect(await restore(fresh, [file])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(
        `It is the copy that the site has sent.\nBrought back 30 responses from ${file}\n`,
      ),
    })
    const data = dirname(fresh.slice('file:'.length))
    expect(readdirSync(data).filter((name) => name.endsWith('.tmp'))).toEqual([])
    expect(statSync(join(data, 'rsvp.db')).mode & 0o777).toBe(0o600)
    const stored = inDatabase(fresh, (rows) =>
      rows.prepare("SELECT subject FROM audit_entries WHERE action = 'backup restored'").get(),
    )
    expect(stored).toEqual({ subject: file })
  })

  it('says what it cannot prove where the identity is all there is, and restores all the same', async () => {
    const copy = await backUp()
    const bare = withoutKey()
    const { url: fresh } = testFolder()
    expect(await restore(fresh, [copy.slice(away.length + 1)], { BACKUP_COPY_IDENTITY_FILE: bare })).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Who has made it could not be proved: [^\n]+\nBrought back 30 responses/),
    })
  })

  it('takes its name, and a file that was brought here', async () => {
    const copy = await backUp()
    const here = join(folder, 'brought.db.age')
    copyFileSync(copy, here)
    for (const [given, variables] of [
      [copy.slice(away.length + 1), {}],
      [here, { BACKUP_COPY_TO: '' }],
    ] as const) {
      const { url: fresh } = testFolder()
      expect((await restore(fresh, [given, '--unproved'], variables)).code).toBe(0)
    }
  })

  it.each<[string, number, (copy: string) => unknown, object, RegExp]>([
    ['is damaged', 78, damage, {}, /\.age is damaged\. Try another one\.\n$/],
    ['has the name of another one', 78, replaceByOther, {}, /is not as the site has sent it/],
    ['has lost its mark', 78, (copy) => renameUnmarked(copy, String), {}, /has no mark.+ add --unproved/],
    ['has gone', 1, (copy) => rmSync(copy), {}, /away cannot be used: it is not there/],
    ['cannot be decrypted', 1, () => {}, { BACKUP_COPY_IDENTITY_FILE: '' }, /set BACKUP_COPY_IDENTITY_FILE/],
  ])('changes nothing where it %s', async (_, code, change, variables, message) => {
    const copy = await backUp()
    await change(copy)
    const { url: fresh } = testFolder()
    const name = readdirSync(away)[0] ?? copy.slice(away.length + 1)
    const ended = await restore(fresh, [name, '--quiet'], variables)
    expect(ended).toMatchObject({ code, stderr: expect.stringMatching(message) })
    expect(existsSync(fresh.slice('file:'.length))).toBe(false)
  })
})

/** By what anyone can make who knows the recipient, or by an older copy: both decrypt. */
async function replaceByOther(copy: string): Promise<void> {
  const other = await backUp()
  copyFileSync(other, copy)
}
