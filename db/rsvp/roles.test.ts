import { beforeEach, expect, it } from 'vitest'
import { describeOnBothDatabases, testCall, testRsvp } from '#db/fixtures.ts'
import { changeOwnRsvp, restoreOwnRsvp, withdrawOwnRsvp } from '#db/private-link/operations.ts'
import { changeRsvp } from '#db/rsvp/entry.ts'
import { mergeRsvps } from '#db/rsvp/merge.ts'
import { changeVolunteerRole, listVolunteerRoles } from '#db/rsvp/roles.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { transaction } from '#db/storage/client.ts'
import { deleteRsvp } from './delete.ts'
import { listFilledRoles } from './sheet.ts'

const administrator = testCall()
const visitor = testCall({ administrator: false, actor: 'visitor' })
const [GREETER, USHER] = [1, 2] as const
const [THIS_WEEK, NEXT_WEEK] = ['2025-01-11', '2025-01-18']
const FILLED = { fields: [{ path: 'volunteerRoles', message: expect.stringContaining('is filled') }] }

let minutes = 0
/** A minute later each time. */
const later = () => ({ ...visitor, now: new Date(visitor.now.getTime() + ++minutes * 60_000) })
async function send(changes: Record<string, unknown> = {}) {
  const { id, linkSecret = '' } = await createRsvp(testRsvp(changes), later())
  return { id: String(id), linkSecret }
}
const ana = (volunteerRoles: number[]) => send({ volunteerRoles })
const bob = (volunteerRoles: number[]) => send({ name: 'Bob Roe', email: 'bob@roe.example', volunteerRoles })
type Sent = { linkSecret: string }
const change = ({ linkSecret }: Sent, changes: object) => changeOwnRsvp({ linkSecret, ...changes }, later())
const greeters = async (week = THIS_WEEK) =>
  (await listFilledRoles({ week }, administrator)).find(({ id }) => id === GREETER)?.people

describeOnBothDatabases('the last place in a role, where a person has sent several RSVPs', () => {
  beforeEach(async () => {
    await transaction((tx) => tx.delete(rsvps))
    for (const id of [GREETER, USHER]) await changeVolunteerRole({ id: String(id), needed: 1 }, administrator)
  })

  it('is not taken again by a change of the earlier one, which another fills by then', async () => {
    const first = await ana([GREETER])
    await ana([])
    await bob([GREETER])
    await expect(change(first, { message: 'Hello' })).rejects.toMatchObject(FILLED)
    await change(first, { message: 'Hello', volunteerRoles: [] })
    expect(await greeters()).toEqual(['Bob Roe'])
  })

  it('is kept by their change of any of them while they have it, and can be claimed by each', async () => {
    const [first, second, third] = [await ana([GREETER]), await ana([GREETER]), await ana([])]
    await change(second, { message: 'Hello' })
    await change(first, { message: 'Hello' })
    await change(third, { volunteerRoles: [GREETER] })
    expect((await listVolunteerRoles(visitor))[0]).toMatchObject({ filled: { [THIS_WEEK]: 1 } })
    await expect(bob([GREETER])).rejects.toMatchObject(FILLED)
  })

  it.each([
    ['withdrawn', ({ linkSecret }: Sent) => withdrawOwnRsvp({ linkSecret }, later())],
    ['another name', (sent: Sent) => change(sent, { name: 'Joel Cole' })],
    ['for another service', (sent: Sent) => change(sent, { serviceDate: NEXT_WEEK })],
  ])('is not taken by the earlier one once the newest is %s', async (_, act) => {
    await ana([GREETER, 3])
    const newest = await ana([])
    await bob([GREETER])
    await act(newest)
    expect(await greeters()).toEqual(['Bob Roe'])
    const counted = await listFilledRoles({ week: THIS_WEEK }, administrator)
    expect(counted.find(({ id }) => id === 3)?.people).toEqual(['Ana Cole'])
  })

  it('goes back to the earlier one where it is open, and again to the newest whose withdrawal is taken back', async () => {
    await ana([GREETER])
    const { linkSecret } = await ana([GREETER])
    await withdrawOwnRsvp({ linkSecret }, later())
    expect(await greeters()).toEqual(['Ana Cole'])
    await restoreOwnRsvp({ linkSecret }, later())
    expect(await greeters()).toEqual(['Ana Cole'])
    await change({ linkSecret }, { volunteerRoles: [] })
    expect(await greeters()).toEqual([])
  })

  it('stays with one more than needed where an administrator decides so, also when its sender changes the rest', async () => {
    const [first, second] = [await ana([GREETER]), await ana([])]
    await bob([GREETER])
    await deleteRsvp({ id: second.id }, later())
    expect(await greeters()).toEqual(['Ana Cole', 'Bob Roe'])
    await change(first, { message: 'Hello' })
    await changeRsvp({ id: first.id, message: 'By telephone' }, { ...later(), administrator: true })
    expect(await greeters()).toEqual(['Ana Cole', 'Bob Roe'])
  })

  it('goes to one of all who want it at the same moment: by earlier and new RSVPs, by withdrawals and a merge', async () => {
    for (let turn = 0; turn < 4; turn++) {
      await transaction((tx) => tx.delete(rsvps))
      const people = ['Ana', 'Bea', 'Cy', 'Dan'].map((name) => ({ name, email: `${name}@cole.example` }))
      // Each has had the place before the next one, and has given it up by an RSVP that is newer.
      const sent: [Sent & { id: string }, Sent & { id: string }][] = []
      for (const person of people) sent.push([await send({ ...person, volunteerRoles: [GREETER] }), await send(person)])
      const acts = [
        ...sent.map(
          ([first]) =>
            () =>
              change(first, { message: `Turn ${turn}` }),
        ),
        ...sent.map(
          ([, { linkSecret }]) =>
            () =>
              withdrawOwnRsvp({ linkSecret }, later()),
        ),
        () => mergeRsvps({ id: sent[turn]?.[1].id ?? '' }, { ...later(), administrator: true }),
        ...people.map((person) => () => send({ ...person, volunteerRoles: [GREETER] })),
        () => bob([GREETER]),
      ]
      await Promise.allSettled((turn % 2 === 0 ? acts : acts.reverse()).map((act) => act()))
      expect((await greeters())?.length, `turn ${turn}`).toBeLessThanOrEqual(1)
      await bob([GREETER]).catch(() => undefined)
      expect(await greeters(), `turn ${turn}`).toHaveLength(1)
    }
  })
})
