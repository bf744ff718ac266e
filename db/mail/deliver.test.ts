import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { asc } from 'drizzle-orm'
import { build } from 'esbuild'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { clockMarks } from '#db/clock/table.ts'
import { projectRoot } from '#db/config/places.ts'
import { emptyTables, fileDatabase, openForTests, testCall } from '#db/fixtures.ts'
import { readKeyedHash } from '#db/secret/keyed-hash.ts'
import { db, transaction } from '#db/storage/client.ts'
import { withOverrides } from '../../scripts/testing/overrides.mjs'
import { endLease, isMailDue, type Sender, sendDue } from './deliver.ts'
import type { Compose } from './message.ts'
import { forgetOldMail, getMailState, retryMail } from './operations.ts'
import { queueMail } from './queue.ts'
import { startSmtpServer } from './smtp-fixtures.ts'
import { changeMailStop, stopPath } from './stops.ts'
import { mailQueue, mailState, mailStops } from './table.ts'

const start = testCall().now
const database = fileDatabase()
let now = start
const call = () => testCall({ now, sendsMail: true })
const inMinutes = (minutes: number) => new Date(start.getTime() + minutes * 60_000)

const addressOf = (key: string) => `${key.replace(' ', '-')}@cole.example`
const recipientOf = (id: number) => addressOf(`confirmation ${id}`)

const compose: Compose = async ({ key, language }) => ({
  to: addressOf(key),
  subject: 'We have your RSVP',
  text: `See you ${language}`,
  html: '<p>See you</p>',
})
function senderTo(mail: Sender['mail'], changes: Partial<Sender> = {}): Sender {
  const never = new AbortController().signal
  return { holder: 'this', mail, compose, origin: 'https://rsvp.example', stopping: never, ending: never, ...changes }
}
async function queue(count: number, changes: Partial<Parameters<typeof queueMail>[1][number]> = {}) {
  const mails = Array.from({ length: count }, (_, at) => ({
    ...{ key: `confirmation ${at + 1}`, kind: 'confirmation' as const, address: 'kept@cole.example' },
    ...{ dueAt: start.toISOString(), endsAt: inMinutes(600).toISOString(), ...changes },
  }))
  await transaction((tx) => queueMail(tx, mails, start))
}
const rows = () => db.select().from(mailQueue).orderBy(asc(mailQueue.id))
/** Sends what is due at each minute, as the site does. */
async function sendUntil(minute: number, sender: Sender) {
  for (; now <= inMinutes(minute); now = new Date(now.getTime() + 60_000))
    if (await isMailDue(now)) await sendDue(sender, call)
}

describe('the queue', () => {
  openForTests(database.url)
  afterAll(database.stop)
  beforeEach(async () => {
    now = start
    await emptyTables(mailQueue, mailState, mailStops)
  })

  it('sends each message once, when it is due, and forgets its address', async () => {
    const { taken, mail } = await startSmtpServer()
    await queue(2, { dueAt: inMinutes(3).toISOString() })
    await queue(3)
    await sendUntil(2, senderTo(mail))
    expect(taken.map(({ recipient }) => recipient)).toEqual([recipientOf(3)])
    await sendUntil(9, senderTo(mail))
    expect(taken.map(({ recipient }) => recipient)).toEqual([3, 1, 2].map(recipientOf))
    expect(new Set(taken.map(({ messageId }) => messageId)).size).toBe(3)
    expect(await rows()).toMatchObject(Array(3).fill({ address: null, sendingAt: null, attempts: 1, failedAt: null }))
    expect(await getMailState(call())).toEqual({ configured: true, trouble: null, waiting: 0, failed: [] })
    await forgetOldMail({ ...call(), now: inMinutes(40 * 24 * 60) })
    expect(await rows()).toEqual([])
  })

  it('waits for a server that is away for an hour, and for one that greylists, with longer and longer pauses', async () => {
    const { mail, port, stop } = await startSmtpServer()
    await stop()
    await queue(2)
    await sendUntil(60, senderTo(mail))
    expect(await getMailState(call())).toMatchObject({
      waiting: 2,
      trouble: expect.stringContaining('cannot be reached'),
    })
    for (const { attempts } of await rows()) expect(attempts).toBeLessThan(7)
    const seen = new Set<string>()
    const { taken } = await startSmtpServer((step, to) => {
      const isFirst = step === 'recipient' && !seen.has(to)
      seen.add(to)
      return isFirst ? 450 : 'go on'
    }, port)
    await sendUntil(240, senderTo(mail))
    expect(taken.map(({ recipient }) => recipient).toSorted()).toEqual([1, 2].map(recipientOf))
    expect(await getMailState(call())).toMatchObject({ trouble: null, waiting: 0, failed: [] })
  })

  it('says why everything waits while the clock is doubtful', async () => {
    await queue(1)
    const know = (seenAt: string) => transaction((tx) => tx.update(clockMarks).set({ seenAt }))
    await know(inMinutes(60 * 24 * 60).toISOString())
    onTestFinished(async () => void (await know(start.toISOString())))
    expect(await getMailState(call())).toMatchObject({
      waiting: 1,
      trouble: expect.stringContaining('no mail is sent'),
    })
  })

  it('tells what was refused, came too late, or is unknown, and sends it again only when asked', async () => {
    const acts: Record<string, 550 | 'hang up' | undefined> = { [recipientOf(1)]: 550, [recipientOf(2)]: 'hang up' }
    const { taken, mail } = await startSmtpServer((step, to) => (step === 'reply' && acts[to]) || 'go on')
    await queue(4, { rsvpId: null, administratorId: 1 })
    await queue(5, { endsAt: start.toISOString() })
    await sendUntil(300, senderTo(mail))
    const told = ['confirmation 5', 'confirmation 2', 'confirmation 1']
    const { failed } = await getMailState(call())
    expect(
      (await rows())
        .filter(({ failure }) => failure !== null)
        .map(({ key }) => key)
        .toReversed(),
    ).toEqual(told)
    expect(failed.map(({ failure }) => failure)).toEqual(
      expect.arrayContaining(
        [/^It could not be sent before/, /^It is unknown/, /refused .* for good \(550\)/].map((text) =>
          expect.stringMatching(text),
        ),
      ),
    )
    expect(taken.map(({ recipient }) => recipient)).toEqual([2, 3, 4].map(recipientOf))
    acts[recipientOf(2)] = undefined
    expect(await retryMail({}, call())).toBe(2)
    await sendUntil(310, senderTo(mail))
    expect(taken).toHaveLength(4)
    expect(await getMailState(call())).toMatchObject({ waiting: 0, failed: [{}, {}] })
    expect(await retryMail({ ids: failed.map(({ id }) => id) }, { ...call(), now: inMinutes(601) })).toBe(0)
  })

  it('sends nothing to who stopped it, but to others, and to those who want it again', async () => {
    const { taken, mail } = await startSmtpServer()
    const key = stopPath('Confirmation-1+tag@cole.example', await readKeyedHash()).split('key=')[1] ?? ''
    expect(key).not.toMatch(/cole|confirmation/i)
    for (const wrong of ['', 'a.b', `${key}x`, key.slice(1)])
      await expect(changeMailStop({ key: wrong, stopped: true }, call())).rejects.toMatchObject({ code: 'not-found' })
    expect(await changeMailStop({ key, stopped: true }, call())).toBe(true)
    expect(await changeMailStop({ key }, call())).toBe(true)
    await queue(2)
    await sendUntil(1, senderTo(mail))
    expect(taken.map(({ recipient }) => recipient)).toEqual([recipientOf(2)])
    expect(await changeMailStop({ key, stopped: false }, call())).toBe(false)
    await emptyTables(mailQueue)
    await queue(1)
    await sendUntil(2, senderTo(mail))
    expect(taken).toHaveLength(2)
    const stopUrl = taken[1]?.headers.find(({ key }) => key === 'list-unsubscribe')?.value
    expect(stopUrl).toBe(`<https://rsvp.example/mail/stop?key=${key}>`)
  })

  it('skips what has nothing to say any more, and puts off what cannot be made', async () => {
    const { taken, mail } = await startSmtpServer()
    await queue(3)
    const broken: Compose = async (message, ...rest) => {
      if (message.key.endsWith('1')) return undefined
      if (message.key.endsWith('2')) throw new Error('A bug')
      return compose(message, ...rest)
    }
    await expect(sendDue(senderTo(mail, { compose: broken }), call)).rejects.toThrow('A bug')
    await sendDue(senderTo(mail, { compose: broken }), call)
    expect(taken.map(({ recipient }) => recipient)).toEqual([recipientOf(3)])
    expect(await getMailState(call())).toMatchObject({
      waiting: 1,
      trouble: expect.stringContaining('log'),
      failed: [],
    })
  })

  it('waits for the address of the site, and stops in the middle when the site does', async () => {
    const { taken, mail } = await startSmtpServer()
    await queue(2)
    await sendDue(senderTo(mail, { origin: undefined }), call)
    expect(await getMailState(call())).toMatchObject({ waiting: 2, trouble: expect.stringMatching(/public address/) })
    const stopping = new AbortController()
    const stopAfterFirst: Compose = (...asked) => {
      stopping.abort()
      return compose(...asked)
    }
    await sendDue(senderTo(mail, { compose: stopAfterFirst, stopping: stopping.signal }), call)
    expect(taken).toHaveLength(1)
    await sendDue(senderTo(mail, { holder: 'other' }), call)
    expect(taken).toHaveLength(1)
    await endLease('this')
    await sendDue(senderTo(mail, { holder: 'other' }), call)
    expect(await getMailState(call())).toMatchObject({ waiting: 0, trouble: null })
    expect(taken).toHaveLength(2)
  })

  const forever = { dueAt: start.toISOString(), endsAt: '2099-01-01T00:00:00.000Z' }
  const banner = `import{createRequire}from'node:module';const require=createRequire('${projectRoot}/package.json');`
  // Within the project, whose migrations it reads.
  const program = join(projectRoot, 'node_modules', '.cache', 'mail-sender.mjs')
  const script = `import { setTimeout as delay } from 'node:timers/promises'
    import { endLease, isMailDue, sendDue } from '#db/mail/deliver.ts'
    import { openDatabase } from '#db/open.ts'
    const [, , url, server] = process.argv
    await openDatabase(url)
    const never = new AbortController().signal
    const compose = async ({ key }) => ({ to: key.replace(' ', '-') + '@cole.example', subject: 'Hello', text: 'x', html: 'x' })
    const sender = { holder: String(process.pid), mail: { server, from: 'rsvp@grace.example' }, compose, origin: 'https://rsvp.example', stopping: never, ending: never }
    const call = () => ({ now: new Date(), role: 'owner', actor: 'site' })
    while (await isMailDue(new Date())) { await sendDue(sender, call); await delay(10) }
    await endLease(sender.holder)`
  beforeAll(async () => {
    // One file: it is started often.
    const stdin = { contents: script, resolveDir: projectRoot }
    await build({
      stdin,
      bundle: true,
      platform: 'node',
      format: 'esm',
      external: ['libsql'],
      outfile: program,
      banner: { js: banner },
    })
  })
  function startSender(server: string, overrides = {}) {
    const words = [program, database.url, server]
    const env = { ...process.env, ...withOverrides(overrides) }
    return spawn(process.execPath, words, { cwd: projectRoot, env, stdio: ['ignore', 'ignore', 'inherit'] })
  }

  it('sends each message once, or tells that it may have, while its process is killed 20 times', async () => {
    const steps = ['greeting', 'recipient', 'content', 'reply']
    let kills = 0
    let sender: ReturnType<typeof startSender>
    const { taken, mail } = await startSmtpServer((step) => {
      if (kills < 20 && !sender.killed && step === steps[kills % steps.length]) {
        kills += 1
        sender.kill('SIGKILL')
      }
      return 'go on'
    })
    await queue(40, forever)
    do {
      sender = startSender(mail.server, { MAIL_LEASE_MS: 50 })
      await once(sender, 'close')
    } while (sender.signalCode === 'SIGKILL')
    expect(sender.exitCode).toBe(0)
    expect(kills).toBe(20)
    const sent = taken.map(({ recipient }) => recipient)
    expect(new Set(sent).size).toBe(sent.length)
    const states = await rows()
    const unknown = states.filter(({ failure }) => failure?.startsWith('It is unknown'))
    expect(unknown).toHaveLength(20)
    for (const row of states.filter(({ sentAt }) => sentAt !== null)) expect(sent).toContain(addressOf(row.key))
    expect(states.filter(({ sentAt }) => sentAt !== null)).toHaveLength(20)
  })

  it('sends each message once with two processes at a time', async () => {
    const { taken, mail } = await startSmtpServer()
    await queue(40, forever)
    await Promise.all([1, 2].map(() => once(startSender(mail.server), 'close')))
    expect(taken.map(({ recipient }) => recipient).toSorted()).toEqual(
      Array.from({ length: 40 }, (_, at) => recipientOf(at + 1)).toSorted(),
    )
    expect(await getMailState(call())).toMatchObject({ waiting: 0, failed: [] })
  })
})
