import { setTimeout as wait } from 'node:timers/promises'
import { openStage, password, postRsvp, type Site, type Stage, sessionCookies, waitUntil } from './stage.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Long enough for the maintenance at the start of a site. */
const START_MS = 1500

type Case = { name: string; off: number; doubtful: boolean }

/** The clocks to try, and how far they are off in ms. */
export function listCases(): Case[] {
  const to = (moment: string) => Date.parse(moment) - Date.now()
  return [
    { name: '-1 day', off: -DAY_MS + 60_000, doubtful: false },
    { name: '+1 day', off: DAY_MS, doubtful: false },
    { name: '-1 year', off: -365 * DAY_MS, doubtful: true },
    { name: '+1 year', off: 365 * DAY_MS, doubtful: true },
    { name: '2015', off: to('2015-06-01T00:00:00Z'), doubtful: true },
    { name: '2038', off: to('2038-01-20T00:00:00Z'), doubtful: true },
  ]
}

/** Stores nine RSVPs of 30 days ago, with a retention of 90 days, and three that were deleted 5 days ago. */
async function prepare(stage: Stage): Promise<void> {
  const site = await stage.start()
  for (let number = 1; number <= 12; number++) await postRsvp(site, `Visitor ${number}`)
  await site.stop()
  stage.inDatabase((database) => {
    database.exec('UPDATE settings SET retention_days = 90')
    const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString()
    database.prepare('UPDATE rsvps SET created_at = ?').run(ago(30))
    database.prepare('UPDATE rsvps SET deleted_at = ? WHERE id > 9').run(ago(5))
  })
}

/**
 * Runs a site with a wrong clock, from its start or from later on; then the clock is right again.
 * @returns findings in sentences.
 */
export async function tryClock({ name, off, doubtful }: Case, when: 'at start' | 'while running'): Promise<string[]> {
  const stage = await openStage({ variables: { ADMIN_PASSWORD: password } })
  const findings: string[] = []
  const expect = (isRight: boolean, sentence: string) => {
    if (!isRight) findings.push(`${name} ${when}: ${sentence}`)
  }
  try {
    await prepare(stage)
    if (when === 'at start') stage.set(off)
    const site = await stage.start()
    if (when === 'while running') {
      await wait(START_MS)
      stage.set(off)
    }
    const cookie = await sessionCookies(site)
    await postRsvp(site, 'Under the wrong clock')
    const isLogged = () => site.output().includes('the clock is doubtful')
    if (doubtful) expect(await waitUntil(isLogged), 'the log does not say that the clock is doubtful')
    else await wait(START_MS)
    expect(isLogged() === doubtful, 'the log says that the clock is doubtful')
    await expectReported(site, stage, cookie, doubtful, expect)
    expectUnchanged(stage, expect)
    await site.stop()

    stage.set(0)
    const right = await stage.start()
    await wait(START_MS)
    expect(!right.output().includes('the clock is doubtful'), 'the log calls the right clock doubtful afterwards')
    const page = await fetch(`${right.url}/admin`, { headers: { cookie } })
    // A session lasts twelve hours: one that began under a clock a day off, before or ahead, is over.
    expect(page.status === 401, `the session of that time still opens the administration (${page.status})`)
    await right.stop()
    expectUnchanged(stage, expect)
  } finally {
    stage.close()
  }
  return findings
}

type Expect = (isRight: boolean, sentence: string) => void

async function expectReported({ url }: Site, stage: Stage, cookie: string, doubtful: boolean, expect: Expect) {
  const page = await (await fetch(`${url}/admin`, { headers: { cookie } })).text()
  expect(
    page.includes('trusted once the site has run for seven days') === doubtful,
    'the administration reports the clock wrongly',
  )
  const { output } = await stage.command('doctor', '--json', '--quiet')
  expect(/"name":\s*"Clock"/.test(output) === doubtful, 'rsvp doctor reports the clock wrongly')
}

function expectUnchanged(stage: Stage, expect: Expect): void {
  const [whole] = stage.inDatabase((database) =>
    database.prepare("SELECT count(*) AS stored, sum(email <> '') AS named FROM rsvps").all(),
  )
  expect(whole?.stored === 13 && whole.named === 13, `13 RSVPs became ${JSON.stringify(whole)}`)
}

/** Confirms a clock that is a year ahead while the site runs: it then purges what is due, after a backup copy. */
export async function tryConfirmation(): Promise<string[]> {
  const stage = await openStage()
  try {
    await prepare(stage)
    stage.set(365 * DAY_MS)
    const site = await stage.start()
    if (!(await waitUntil(() => site.output().includes('the clock is doubtful'))))
      return ['confirm: the clock was not doubtful']
    const { code, output } = await stage.command('clock', 'confirm', '--yes')
    if (code !== 0) return [`confirm: it failed: ${output}`]
    const purged = await waitUntil(() => /"anonymized":9,"erased":3/.test(site.output()))
    await site.stop()
    const { output: audit } = await stage.command('audit')
    return [
      ...(purged ? [] : [`confirm: the purge with its counts is not in the log: ${site.output()}`]),
      ...(stage.beside('before-purge').length === 1 ? [] : ['confirm: no copy was kept before the purge']),
      ...(/responses made anonymous\t9/.test(audit) ? [] : [`confirm: the audit does not have it: ${audit}`]),
    ]
  } finally {
    stage.close()
  }
}
