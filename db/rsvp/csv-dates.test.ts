import { beforeEach, describe, expect, it } from 'vitest'
import { emptyTables, openForTests, testCall } from '#db/fixtures.ts'
import { examineCsv, importRsvps } from './import.ts'
import { listRsvps, responsesOf } from './list.ts'
import { rsvps } from './table.ts'

const call = testCall({ now: new Date('2025-06-01T12:00:00Z') })
const stored = async () => responsesOf(await listRsvps({}, call))

openForTests()
beforeEach(() => emptyTables(rsvps))

/** Services are on Saturdays, and `call` is on June 1. */
describe('the dates of a file', () => {
  const csv = (...lines: string[]) => ({ file: Buffer.from(lines.join('\r\n')) })
  const dated = (...lines: string[]) =>
    csv('Id;Name;Status;Date;Service', ...lines.map((line, at) => `${at + 1};Ana ${at}${line}`))
  const dates = async () =>
    (await stored()).map(({ createdAt, serviceDate }) => `${createdAt.slice(0, 16)} ${serviceDate}`)

  it.each([
    ['04/05/2025', '4/3/2025 14:05', '2025-04-03T14:05 2025-04-05'],
    ['05.04.2025', '03.04.2025 14:05:33', '2025-04-03T14:05 2025-04-05'],
    ['05/04/25', '3/4/25', '2025-04-03T00:00 2025-04-05'],
    ['Jan 11, 2025', 'Sunday, January 5, 2025 2:05 PM', '2025-01-05T14:05 2025-01-11'],
    ['11. Januar 2025', '5. Jan. 2025 14:05', '2025-01-05T14:05 2025-01-11'],
    ['11 de enero de 2025', '5 janv. 2025', '2025-01-05T00:00 2025-01-11'],
    ['45668', '45662.5868055556', '2025-01-05T14:05 2025-01-11'],
    ['45668', '45662,5868055556', '2025-01-05T14:05 2025-01-11'],
    ['2025/01/11', '2025/01/05 6:03:11 PM GMT-6', '2025-01-06T00:03 2025-01-11'],
    ['2025. 1. 11.', '2025. 1. 5. 오후 2:05:33', '2025-01-05T14:05 2025-01-11'],
    ['٢٠٢٥/٠١/١١', '2025-01-05 14:05:33', '2025-01-05T14:05 2025-01-11'],
  ])('are read as %s and %s', async (service, date, read) => {
    const imported = await importRsvps(dated(`;yes;${date};${service}`), call)
    expect([imported.misfits, await dates()]).toEqual([[], [read]])
  })

  it.each([
    [
      'nothing tells the two orders apart',
      ';yes;2/3/2025;',
      /^In this file, dates such as 3\/4\/2026 can be March 4 or April 3\./,
    ],
    ['neither is on a weekday of the services', ';yes;;3/4/2025', /^In this file, dates such as/],
    [
      'both orders are in the file',
      ';yes;1/13/2025;\r\n2;Ben;yes;13/1/2025;',
      /^In this file, some dates have the day first/,
    ],
  ])('are asked for where %s', async (_, line, message) => {
    const file = dated(line)
    await expect(importRsvps(file, call)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringMatching(message),
    })
    expect(await examineCsv(file, call)).toMatchObject({ isOrderUnclear: true })
    expect(await examineCsv({ ...file, dates: 'day-first' }, call)).toMatchObject({ isOrderUnclear: false })
  })

  it('are told apart by what is over, by days that exist, or by what the clerk says', async () => {
    expect(await importRsvps(dated(';yes;2/9/2025;'), call)).toMatchObject({ added: 1 })
    expect(await importRsvps(dated(';no;1/13/2025;', ';no;2/3/2025;'), call)).toMatchObject({ added: 2 })
    expect(await importRsvps({ ...dated(';no;4/3/2025;'), dates: 'day-first' }, call)).toMatchObject({ added: 1 })
    expect((await dates()).map((text) => text.slice(0, 10))).toEqual([
      '2025-03-04',
      '2025-02-03',
      '2025-01-13',
      '2025-02-09',
    ])
  })
})
