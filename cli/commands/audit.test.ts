import { expect, it } from 'vitest'
import { recordAct } from '#db/audit/operations.ts'
import { addAdministrator, callOf, testCall } from '#db/fixtures.ts'
import { inDatabase, obeyed, rsvp, rsvpDrawn, testDatabase } from '../fixtures.ts'

const { url } = testDatabase()
const at = '2025-01-05T14:00:00.000Z'
const audit = (...words: string[]) => rsvp(url, ['audit', ...words])

it('rsvp audit lists acts, newest first, by person and act, as CSV without live formulas', async () => {
  inDatabase(url, (database) => database.exec('DELETE FROM audit_entries'))
  const ruth = await addAdministrator({ name: 'Ruth Cole', email: null, removedAt: 1 })
  await recordAct({ action: 'samples added', subject: '1' }, callOf(ruth))
  await recordAct({ action: 'samples added', subject: '=1+1\u001b[2J' }, testCall())
  await recordAct({ action: 'responses printed', subject: '2' }, callOf(ruth))
  const terminal = `${at}\tterminal\tsamples added\t=1+1\n`
  const [printed, added] = [`${at}\tRuth Cole\tresponses printed\t2\n`, `${at}\tRuth Cole\tsamples added\t1\n`]
  const calls: [words: string[], code: number, stdout: string][] = [
    [[], 0, printed + terminal + added],
    [['--limit', '1'], 0, printed],
    [['--of', 'ruth cole'], 0, printed + added],
    [['--of', 'Ruth Cole', '--action', 'samples added'], 0, added],
    [['--of', 'Nemo'], 3, ''],
    [['--action', 'viewed'], 2, ''],
    [['--csv', '--json'], 2, ''],
  ]
  for (const [words, code, stdout] of calls)
    expect([words, await audit(...words)]).toMatchObject([words, { code, stdout }])
  expect(JSON.parse((await audit('--json')).stdout)).toHaveLength(3)
  const drawn = await rsvpDrawn(url, ['audit'], { columns: 120, env: { NO_COLOR: '1' } })
  expect(drawn.raw().replaceAll('\r\n', '')).not.toMatch(obeyed)
  const csv = (await audit('--csv', '--of', 'terminal')).stdout
  expect(csv.split('\r\n')[0]).toBe('\uFEFFId,When,Who,Session,What,Of')
  expect(csv).toContain(`,${at},terminal,terminal,samples added,'=1+1`)
  expect((await audit('--limit', '1')).stdout).toContain('\tterminal\taudit exported\t')
})
