import { expect, it } from 'vitest'
import { describeOnBothDatabases, testCall } from '#testing/database-fixtures.ts'
import { changeFeatures, getFeatures } from './features.ts'

const call = testCall()
const allOn = { calendarIntegration: true, familyRsvp: true, volunteerSignup: true }

describeOnBothDatabases('feature operations', () => {
  it('switch one or several features, all of them on at first, and return all', async () => {
    expect(await getFeatures()).toEqual(allOn)
    expect(await changeFeatures({ familyRsvp: false }, call)).toEqual({ ...allOn, familyRsvp: false })
    const two = { familyRsvp: true, volunteerSignup: false }
    expect(await changeFeatures(two, call)).toEqual({ ...allOn, ...two })
    expect(await getFeatures()).toEqual({ ...allOn, ...two })
    await changeFeatures(allOn, call)
  })

  it.each([{}, { unknown: true }, { familyRsvp: 'yes' }, null])('refuses %o', async (change) => {
    await expect(changeFeatures(change, call)).rejects.toMatchObject({ code: 'invalid' })
    expect(await getFeatures()).toEqual(allOn)
  })
})
