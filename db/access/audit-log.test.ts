import { beforeEach, expect, it } from 'vitest'
import { audit, recordAct } from '#db/audit/operations.ts'
import { addAdministrator, callOf, describeOnBothDatabases, testCall } from '#db/fixtures.ts'
import { transaction } from '#db/storage/client.ts'
import { getAuditPage } from './audit-log.ts'
import { emptyAccess } from './fixtures.ts'

const terminal = testCall()
let ruth: number
let joel: number

const entriesOf = async (filter: object = {}) => (await getAuditPage(filter, terminal)).entries
/** The subjects of these entries, the newest first. */
const subjects = async (filter: object) => (await entriesOf(filter)).map(({ about }) => about)

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

  it.each<[string, { who?: string; action?: string }, string[]]>([
    ['an administrator', { who: 'ruth' }, ['4', '2']],
    ['no person', { who: 'terminal' }, ['1']],
    ['an unknown visitor, who was a person after all', { who: 'visitor' }, []],
    ['an act', { action: 'samples added' }, ['2', '1']],
    ['an administrator and an act', { who: 'ruth', action: 'samples added' }, ['2']],
    ['nothing', { who: '', action: '' }, ['4', '3', '2', '1']],
  ])('is filtered by %s', async (_, filter, found) => {
    const who = filter.who === 'ruth' ? String(ruth) : filter.who
    expect(await subjects({ ...filter, who })).toEqual(found)
  })

  it('has pages, which end, and everyone who was ever an administrator', async () => {
    // With the four of before, exactly two pages.
    for (let number = 5; number <= 40; number++)
      await recordAct({ action: 'samples added', subject: String(number) }, terminal)
    const first = await getAuditPage({}, terminal)
    expect(first.entries.map(({ about }) => Number(about))).toEqual(Array.from({ length: 20 }, (_, at) => 40 - at))
    const second = await getAuditPage({ before: String(first.next) }, terminal)
    expect(second.entries.map(({ about }) => Number(about))).toEqual(Array.from({ length: 20 }, (_, at) => 20 - at))
    expect(second.next).toBeNull()
    expect(second.people).toEqual([
      { id: ruth, name: 'Ruth Cole', removed: false },
      { id: joel, name: '=Joel', removed: true },
    ])
  })
})
