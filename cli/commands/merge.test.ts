import { expect, it } from 'vitest'
import { testCall, testRsvp } from '#db/fixtures.ts'
import { createRsvp } from '#db/rsvp/submit.ts'
import { rsvp, rsvpInTerminal, testDatabase } from '../fixtures.ts'

const { url } = testDatabase()

it('rsvp merge lists who has sent several, asks, merges, and prints a link where no mail is sent', async () => {
  const ids: number[] = []
  for (const sent of [{}, {}, { name: 'Bea Cole' }, { name: 'Bea Cole' }, { name: 'Joel Cole' }])
    ids.push((await createRsvp(testRsvp(sent), testCall())).id)
  const [ana, newestAna, bea, newestBea] = ids
  const rows = `2025-01-11\tBea Cole\t${newestBea}\t${bea}\n2025-01-11\tAna Cole\t${newestAna}\t${ana}\n`
  const unasked = 'Nothing was changed: add --yes to merge.\nsee rsvp merge --help\n'
  expect(await rsvp(url, ['merge'])).toMatchObject({ code: 2, stdout: rows, stderr: unasked })
  const terminal = rsvpInTerminal(url, ['merge'], { columns: 40 })
  await terminal.shows(/Merge 2 responses of 2 people into the\s+newest of each\?\s+y\/N/)
  terminal.press('n')
  expect(await terminal.ended).toBe(1)
  const merged = await rsvp(url, ['merge', '--week', '2025-01-11', '--yes', '--json'])
  expect(JSON.parse(merged.stdout).merged.toSorted()).toEqual([ana, bea])
  expect(await rsvp(url, ['merge', '--yes'])).toMatchObject({ code: 0, stderr: 'There are no duplicates.\n' })

  for (const SMTP_URL of ['', 'smtp://127.0.0.1:9']) {
    for (const message of ['one', 'two'])
      await createRsvp(testRsvp({ name: 'Cleo', message }), testCall({ now: new Date() }))
    const env = { PUBLIC_URL: 'https://rsvp.grace.example', SMTP_URL, MAIL_FROM: SMTP_URL && 'rsvp@grace.example' }
    const { stdout, stderr } = await rsvp(url, ['merge', '--yes'], { env })
    const isPrinted = /\n\d+\thttps:\/\/rsvp\.grace\.example\/answer\?key=[\w-]{22}\n$/.test(stdout)
    const isExplained = /Earlier private links have ended: .* would now see all of this/.test(stderr)
    expect([isPrinted, isExplained]).toEqual(SMTP_URL === '' ? [true, true] : [false, false])
  }
})
