import { beforeAll, describe, expect, it } from 'vitest'
import { UserError } from '#db/values/errors.ts'
import { inDatabase, rsvp, testDatabase } from '../fixtures.ts'

const { url } = testDatabase()
const unset = { SMTP_URL: '', MAIL_FROM: '' }
/** The address of a server that does not exist. */
const set = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'rsvp@example.org' }
const mail = (words: string, env: Record<string, string> = set) => rsvp(url, ['mail', ...words.split(' ')], { env })
const refused = JSON.stringify(new UserError('mail-refused', { reply: '550' }).refused)
const noServer = 'No mail is sent: set SMTP_URL and MAIL_FROM, see docs/settings.md.\n'

beforeAll(() =>
  inDatabase(url, (database) =>
    database.exec(`INSERT INTO mail_queue (id, key, kind, address, administrator_id, created_at, due_at, ends_at, failed_at, failure)
      VALUES (3, 'digest 1', 'digest', NULL, 1, '2025-01-05', '2025-01-05', '2999-01-11', '2025-01-05T14:00:00.000Z', '${refused}'),
      (4, 'digest 2', 'digest', NULL, 1, '2025-01-05', '2999-01-05', '2999-01-11', NULL, NULL)`),
  ),
)

describe('rsvp mail test and retry', () => {
  it('says why the mail server did not take the message, or that there is none', async () => {
    const stderr = expect.stringContaining('The mail server cannot be reached: check SMTP_URL')
    expect(await mail('test ruth@example.org')).toMatchObject({ code: 1, stdout: '', stderr })
    expect(await mail('test', unset)).toMatchObject({ code: 78, stdout: '', stderr: noServer })
  })

  it('queues what has failed once more', async () => {
    const stderr = expect.stringContaining('Queued 1 message once more. The running site sends them.')
    expect(await mail('retry')).toMatchObject({ code: 0, stdout: '', stderr })
    const waiting = 'SELECT count(*) AS count FROM mail_queue WHERE failed_at IS NULL'
    expect(inDatabase(url, (database) => database.prepare(waiting).get())).toEqual({ count: 2 })
  })
})
