import { setTimeout as wait } from 'node:timers/promises'
import { answer, comes, openStage, password, type Site, type Stage, signIn } from './stage.ts'

const DAY = 24 * 60 * 60 * 1000
/** Long enough for a site to do at its start what is due. */
const START = 1500

export type Case = { name: string; off: number; doubtful: boolean }

/** The clocks that are tried, by how far they are off. */
export function listCases(): Case[] {
  const to = (moment: string) => Date.parse(moment) - Date.now()
  return [
    { name: '-1 day', off: -DAY + 60_000, doubtful: false },
    { name: '+1 day', off: DAY, doubtful: false },
    { name: '-1 year', off: -365 * DAY, doubtful: true },
    { name: '+1 year', off: 365 * DAY, doubtful: true },
    { name: '2015', off: to('2015-06-01T00:00:00Z'), doubtful: true },
    { name: '2038', off: to('2038-01-20T00:00:00Z'), doubtful: true },
  ]
}

/** Nine answers of 30 days ago, with a retention of 90 days, and three that were deleted 5 days ago. */
async function prepare(stage: Stage): Promise<void> {
  const site = await stage.start()
  for (let number = 1; number <= 12; number++) await answer(site, `Visitor ${number}`)
  await site.stop()
  stage.inDatabase((database) => {
    database.exec('UPDATE settings SET retention_days = 90')
    const ago = (days: number) => new Date(Date.now() - days * DAY).toISOString()
    database.prepare('UPDATE rsvps SET created_at = ?').run(ago(30))
    database.prepare('UPDATE rsvps SET deleted_at = ? WHERE id > 9').run(ago(5))
  })
}

/**
 * A site on a clock that is off: from its start, or from a moment on while it runs. Then the clock is right again.
 * @returns what was found wrong, as sentences.
 */
export async function tryClock({ name, off, doubtful }: Case, when: 'at start' | 'while running'): Promise<string[]> {
  const stage = await openStage({ variables: { ADMIN_PASSWORD: password } })
  const findings: string[] = []
  const expect = (isAsItShouldBe: boolean, sentence: string) => {
    if (!isAsItShouldBe) findings.push(`${name} ${when}: ${sentence}`)
  }
  try {
    await prepare(stage)
    if (when === 'at start') stage.set(off)
    const site = await stage.start()
    if (when === 'while running') {
      await wait(START)
      stage.set(off)
    }
    const cookie = await signIn(site)
    await answer(site, 'Under the wrong clock')
    const isTold = () => site.output().includes('the clock is doubtful')
    if (doubtful) expect(await comes(isTold), 'the log does not say that the clock is doubtful')
    else await wait(START)
    expect(isTold() === doubtful, 'the log says that the clock is doubtful')
    await expectSaid(site, stage, cookie, doubtful, expect)
    expectWhole(stage, expect)
    await site.stop()

    stage.set(0)
    const right = await stage.start()
    await wait(START)
    expect(!right.output().includes('the clock is doubtful'), 'the right clock is doubted afterwards')
    const page = await fetch(`${right.url}/admin`, { headers: { cookie } })
    // Begun at most a day ahead it may be in its hours still; a session has twelve.
    expect(page.status === 401, `the session of that time still opens the administration (${page.status})`)
    await right.stop()
    expectWhole(stage, expect)
  } finally {
    stage.close()
  }
  return findings
}

type Expect = (isAsItShouldBe: boolean, sentence: string) => void

async function expectSaid({ url }: Site, stage: Stage, cookie: string, doubtful: boolean, expect: Expect) {
  const page = await (await fetch(`${url}/admin`, { headers: { cookie } })).text()
  expect(page.includes('npx rsvp clock confirm') === doubtful, 'the administration does not say what it should')
  const { output } = await stage.command('doctor', '--json', '--quiet')
  expect(/"name":\s*"Clock"/.test(output) === doubtful, 'rsvp doctor does not say what it should')
}

function expectWhole(stage: Stage, expect: Expect): void {
  const [whole] = stage.inDatabase((database) =>
    database.prepare("SELECT count(*) AS stored, sum(email <> '') AS named FROM rsvps").all(),
  )
  expect(whole?.stored === 13 && whole.named === 13, `13 answers became ${JSON.stringify(whole)}`)
}

/** A clock a year ahead that somebody confirms while the site runs: then what is due goes, after a copy was kept. */
export async function tryConfirmation(): Promise<string[]> {
  const stage = await openStage()
  try {
    await prepare(stage)
    stage.set(365 * DAY)
    const site = await stage.start()
    if (!(await comes(() => site.output().includes('the clock is doubtful')))) return ['confirm: nothing was doubted']
    const { code, output } = await stage.command('clock', 'confirm', '--yes')
    if (code !== 0) return [`confirm: it failed: ${output}`]
    const purged = await comes(() => /"anonymized":9,"erased":3/.test(site.output()))
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
