import { beforeEach, describe, expect, it } from 'vitest'
import { testCall, testRsvp } from '#db/fixtures.ts'
import { eraseRsvps } from '#db/rsvp/delete.ts'
import { listRsvps } from '#db/rsvp/list.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { rsvp, rsvpInTerminal, testDatabase } from '../fixtures.ts'

const { url } = testDatabase()
const call = testCall()

/** Two of Ana for one service, three of Bea for the next, one of Joel. @returns their ids, in this order. */
async function store(): Promise<number[]> {
  const [ana, bea, joel] = [
    { serviceDate: '2025-01-11' },
    { name: 'Bea Cole', serviceDate: '2025-01-18' },
    { name: 'Joel Cole' },
  ]
  const ids: number[] = []
  for (const sent of [ana, ana, bea, bea, bea, joel]) ids.push((await createRsvp(testRsvp(sent), call)).id)
  return ids
}

async function live(): Promise<number[]> {
  const listed: { id: number }[] = JSON.parse(String((await listRsvps({}, call)).json))
  return listed.map(({ id }) => id).reverse()
}

describe('rsvp merge', () => {
  let ids: number[] = []
  beforeEach(async () => {
    await eraseRsvps({ email: 'ana@cole.example' }, call)
    ids = await store()
  })
  const rows = () => {
    const [ana, newestAna, bea, again, newestBea] = ids
    return `2025-01-18\tBea Cole\t${newestBea}\t${bea} ${again}\n2025-01-11\tAna Cole\t${newestAna}\t${ana}\n`
  }

  it('shows them in a pipe and changes nothing', async () => {
    const says = 'Nothing was changed: add --yes to merge.\nsee rsvp merge --help\n'
    expect(await rsvp(url, ['merge'])).toMatchObject({ code: 2, stdout: rows(), stderr: says })
    expect(await live()).toEqual(ids)
  })

  it('merges with --yes, all or those of a week, and says so; then there are none', async () => {
    const [, newestAna, , , newestBea, joel] = ids
    const week = await rsvp(url, ['merge', '--week', '2025-01-11', '--yes'])
    expect(week).toMatchObject({ code: 0, stderr: 'Merged 1 response into the newest.\n' })
    const all = await rsvp(url, ['merge', '--yes', '--json'])
    expect(JSON.parse(all.stdout)).toMatchObject({
      merged: [ids[2], ids[3]],
      left: [],
      duplicates: [{ id: newestBea }],
    })
    expect(await live()).toEqual([newestAna, newestBea, joel])
    const none = await rsvp(url, ['merge', '--yes'])
    expect(none).toMatchObject({ code: 0, stdout: '', stderr: 'There are no duplicates.\n' })
    const nothing = { duplicates: [], merged: [], left: [], links: [] }
    expect(JSON.parse((await rsvp(url, ['merge', '--json'])).stdout)).toEqual(nothing)
  })

  it('prints a new private link where others end, but not where the site sends one by mail', async () => {
    const mail = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'rsvp@grace.example' }
    for (const sending of [{}, mail]) {
      for (const message of ['one', 'two'])
        await createRsvp(testRsvp({ name: 'Cleo', message }), testCall({ now: new Date() }))
      const env = { PUBLIC_URL: 'https://rsvp.grace.example', ...sending }
      const { stdout, stderr } = await rsvp(url, ['merge', '--yes'], { env })
      const isPrinted = /\n\d+\thttps:\/\/rsvp\.grace\.example\/answer\?key=[\w-]{22}\n$/.test(stdout)
      const isExplained = /Earlier private links have ended: .* would now see all of this/.test(stderr)
      expect([isPrinted, isExplained]).toEqual(sending === mail ? [false, false] : [true, true])
    }
  })

  it('asks on a terminal', async () => {
    const refused = rsvpInTerminal(url, ['merge'])
    await refused.shows('Merge 3 responses of 2 people into the newest of each? y/N')
    refused.press('n')
    expect(await refused.ended).toBe(1)
    expect(await live()).toEqual(ids)
    const agreed = rsvpInTerminal(url, ['merge'], { columns: 40 })
    await agreed.shows(/Merge 3 responses of 2 people into the\s+newest of each\?\s+y\/N/)
    agreed.press('y')
    expect(await agreed.ended).toBe(0)
    expect(await live()).toEqual([ids[1], ids[4], ids[5]])
  })
})
