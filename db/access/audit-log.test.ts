import { beforeEach, expect, it } from 'vitest'
import { audit, recordAct } from '#db/audit.ts'
import { transaction } from '#db/storage/client.ts'
import { addAdministrator, callOf, describeOnBothDatabases, testCall } from '#testing/database-fixtures.ts'
import { getAuditPage } from './audit-log.ts'
import { emptyAccess } from './fixtures.ts'

const terminal = testCall()
let ruth: number
let joel: number

const entriesOf = async () => (await getAuditPage({})).entries

describeOnBothDatabases('the audit by person', () => {
  beforeEach(async () => {
    await emptyAccess()
    ruth = await addAdministrator({ name: 'Ruth Cole' })
    joel = await addAdministrator({ name: '=Joel', email: null, removedAt: 1 })
    await recordAct({ action: 'samples added', subject: '1' }, terminal)
    await recordAct({ action: 'samples added', subject: '2' }, callOf(ruth))
    await recordAct({ action: 'responses printed', subject: '3' }, callOf(joel))
    const visitor = testCall({ actor: 'visitor', role: 'visitor' })
    await transaction((tx) => audit(tx, { ...visitor, administrator: { id: ruth } }, 'signed in', '4'))
  })

  it('names who acted, also a removed person, and is silent about those who are no one', async () => {
    const entries = await entriesOf()
    expect(entries.map(({ name, actor }) => [name, actor])).toEqual([
      ['Ruth Cole', 'visitor'],
      ['=Joel', 'session 7'],
      ['Ruth Cole', 'session 7'],
      [null, 'terminal'],
    ])
  })

  it('shows the name of an administrator that an act is about', async () => {
    await recordAct({ action: 'administrator removed', subject: `administrator ${joel}` }, callOf(ruth))
    await recordAct({ action: 'administrator changed', subject: 'administrator 9999 role=clerk' }, callOf(ruth))
    const [changed, removed] = await entriesOf()
    expect(changed?.about).toBe('administrator 9999 role=clerk')
    expect(removed?.about).toBe('=Joel')
  })

  it('has pages, which end', async () => {
    // With the four of before, exactly two pages.
    for (let number = 5; number <= 100; number++)
      await recordAct({ action: 'samples added', subject: String(number) }, terminal)
    const first = await getAuditPage({})
    expect(first.entries.map(({ about }) => Number(about))).toEqual(Array.from({ length: 50 }, (_, at) => 100 - at))
    const second = await getAuditPage({ before: String(first.next) })
    expect(second.entries.map(({ about }) => Number(about))).toEqual(Array.from({ length: 50 }, (_, at) => 50 - at))
    expect(second.next).toBeNull()
  })
})
