import { beforeEach, expect, it } from 'vitest'
import { auditEntries } from '#db/tables/access.ts'
import type { Settings } from '#db/values/settings.ts'
import { auditLines, describeOnBothDatabases, emptyTables, testCall } from '#testing/database-fixtures.ts'
import { changeSettings, getSettings } from './settings.ts'

const call = testCall()
const usual: Settings = { publicNames: 'initial', retentionDays: null, publicUrl: null, prayers: false, prayerDays: 30 }

describeOnBothDatabases('settings', () => {
  it('show first name and initial and keep everything at first', async () => {
    expect(await getSettings()).toEqual(usual)
  })

  it('change one by one or together, and return all', async () => {
    expect(await changeSettings({ publicNames: 'counts' }, call)).toEqual({ ...usual, publicNames: 'counts' })
    expect(await changeSettings({ retentionDays: 1 }, call)).toEqual({
      ...usual,
      publicNames: 'counts',
      retentionDays: 1,
    })
    const kept = { retentionDays: 3650, prayers: true, prayerDays: null }
    const both: Settings = { publicNames: 'none', publicUrl: 'https://rsvp.example.org', ...kept }
    expect(await changeSettings(both, call)).toEqual(both)
    expect(await getSettings()).toEqual(both)
    expect(await changeSettings(usual, call)).toEqual(usual)
  })
})

describeOnBothDatabases('a change of settings', () => {
  beforeEach(() => emptyTables(auditEntries))

  const names = 'The names are one of full, initial, counts, none.'
  const whole = 'Give the retention as a whole number of days, or null to keep everything.'
  const named = 'Send publicNames, retentionDays, publicUrl, prayers or prayerDays.'
  const most = 'Keep responses for at most 3650 days, or give null to keep everything.'

  it.each([
    [{}, 'Name at least one setting to change.'],
    [null, 'Send a JSON object.'],
    [{ publicNames: 'full', id: 2 }, named],
    [{ publicNames: 'all' }, names],
    [{ retentionDays: 0 }, 'Keep responses for at least one day.'],
    [{ retentionDays: 3651 }, most],
    [{ retentionDays: 1.5 }, whole],
    [{ retentionDays: '90' }, whole],
    [{ prayers: 'on' }, 'Say with true or false whether the form asks for prayer requests.'],
    [{ prayerDays: 0 }, 'Keep prayer requests for at least one day.'],
  ])('to %j is refused', async (change, message) => {
    const refused = await changeSettings(change, call).catch((error) => error)
    expect(refused).toMatchObject({ code: 'invalid' })
    expect(refused.fields[0].message).toBe(message)
    expect(await getSettings()).toEqual(usual)
    expect(await auditLines()).toEqual([])
  })
})
