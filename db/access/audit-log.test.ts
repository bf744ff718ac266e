import { beforeEach, expect, it } from 'vitest'
import { audit, recordAct } from '#db/audit/operations.ts'
import { auditEntries } from '#db/audit/table.ts'
import { addAdministrator, callOf, describeOnBothDatabases, invalidAt, testCall } from '#db/fixtures.ts'
import { transaction } from '#db/storage/client.ts'
import { exportAudit, getAuditPage } from './audit-log.ts'
import { emptyAccess } from './fixtures.ts'

const terminal = testCall()
let ruth: number
let joel: number

const entriesOf = async (filter: object = {}) => (await getAuditPage(filter, terminal)).entries
/** The subjects of these entries, the newest first. */
const subjects = async (filter: object) => (await entriesOf(filter)).map(({ subject }) => subject)

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
    expect(removed).toMatchObject({ subject: `administrator ${joel}`, about: '=Joel' })
  })

  it.each([
    ['a name, however it is written', { who: 'ruth cole' }, ['4', '2']],
    ['no person', { who: 'terminal' }, ['1']],
    ['an unknown visitor, who was a person after all', { who: 'visitor' }, []],
    ['an act', { action: 'samples added' }, ['2', '1']],
    ['a name and an act', { who: 'RUTH COLE', action: 'samples added' }, ['2']],
    ['nothing', { who: '', action: '' }, ['4', '3', '2', '1']],
  ])('is filtered by %s', async (_, filter, found) => {
    expect(await subjects(filter)).toEqual(found)
  })

  it('finds all who share a name, and one of them by the id', async () => {
    const other = await addAdministrator({ name: 'Ruth Cole', email: 'other@cole.example' })
    await recordAct({ action: 'samples added', subject: '5' }, callOf(other))
    expect(await subjects({ who: 'Ruth Cole' })).toEqual(['5', '4', '2'])
    expect(await subjects({ who: String(other) })).toEqual(['5'])
  })

  it('says that no one has the name, and refuses other acts and sizes', async () => {
    for (const ask of [getAuditPage, exportAudit])
      await expect(ask({ who: 'Nemo' }, terminal)).rejects.toMatchObject({ code: 'not-found' })
    await expect(getAuditPage({ action: 'viewed' }, terminal)).rejects.toMatchObject(invalidAt('action'))
    for (const limit of ['0', '201', '1.5'])
      await expect(getAuditPage({ limit }, terminal)).rejects.toMatchObject(invalidAt('limit'))
  })

  it('has pages, which end, and everyone who was ever an administrator', async () => {
    const first = await getAuditPage({ limit: '3' }, terminal)
    expect(first.entries.map(({ subject }) => subject)).toEqual(['4', '3', '2'])
    const second = await getAuditPage({ limit: '3', before: String(first.next) }, terminal)
    expect(second.entries.map(({ subject }) => subject)).toEqual(['1'])
    expect(second.next).toBeNull()
    expect(second.people).toEqual([
      { id: ruth, name: 'Ruth Cole', removed: false },
      { id: joel, name: '=Joel', removed: true },
    ])
    // Not one page too many when the last one is full.
    expect((await getAuditPage({ limit: '4' }, terminal)).next).toBeNull()
  })

  it('is exported as CSV without live formulas, and says so', async () => {
    const pieces = await Array.fromAsync(await exportAudit({ who: String(joel) }, terminal))
    const at = terminal.now.toISOString()
    const line = expect.stringMatching(new RegExp(`^\\d+,${at},'=Joel,session 7,responses printed,3$`))
    expect(pieces.join('').split('\r\n')).toEqual(['\uFEFFId,When,Who,Session,What,Of', line, ''])
    expect((await entriesOf())[0]).toMatchObject({ action: 'audit exported', actor: 'terminal' })
  })

  it('is exported whole, however long it is', async () => {
    const at = terminal.now.toISOString()
    const row = { at, actor: 'terminal', action: 'samples added' as const, subject: '' }
    await transaction((tx) => tx.insert(auditEntries).values(Array.from({ length: 1500 }, () => row)))
    const ids = (await Array.fromAsync(await exportAudit({}, terminal))).join('').match(/^\d+(?=,)/gm)
    expect(ids).toHaveLength(1505)
    expect(new Set(ids).size).toBe(1505)
  })
})
