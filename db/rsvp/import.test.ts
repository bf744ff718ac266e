import { beforeEach, describe, expect, it } from 'vitest'
import { transaction } from '#db/storage/client.ts'
import { auditEntries } from '#db/tables/access.ts'
import { schedules } from '#db/tables/invitation.ts'
import { rsvps } from '#db/tables/rsvp.ts'
import { auditLines, emptyTables, openForTests, testCall, testRsvp } from '#testing/database-fixtures.ts'
import { changeSchedule } from './change-schedule.ts'
import { csvDocument } from './csv.ts'
import { deleteRsvps } from './delete.ts'
import { addRsvp } from './entry.ts'
import { importRsvps, previewImport } from './import.ts'
import { listRsvps, responsesFrom, responsesOf } from './list.ts'
import { anonymizeOldRsvps } from './purge.ts'
import { changeVolunteerRole, createVolunteerRole } from './roles.ts'
import { createSampleRsvps } from './sample.ts'
import { createRsvp } from './submit.ts'

const call = testCall({ actor: 'session 7', now: new Date('2025-06-01T12:00:00Z') })
const titles = 'Name,Email,Status,Date'
const row = (name: string, rest = `${name.toLowerCase()}@cole.example,Attending,2025-01-05T14:00:00.000Z`) =>
  `${name},${rest}`
const csv = (...lines: string[]) => ({ file: Buffer.from(lines.join('\r\n')) })

async function exported(): Promise<string> {
  const pieces = csvDocument(responsesFrom(await listRsvps({}, call), call))
  return (await Array.fromAsync(pieces)).join('')
}
const stored = async () => responsesOf(await listRsvps({}, call))

openForTests()

const clear = () => emptyTables(rsvps, auditEntries)
beforeEach(clear)

describe('importRsvps', () => {
  it('brings exported responses back as they were, and the same file adds nothing more', async () => {
    await createSampleRsvps(Array(199).fill('2025-01-10T00:00:00.000Z'), call)
    await createRsvp(testRsvp(), testCall({ now: new Date('2024-01-01T00:00:00Z') }))
    await addRsvp({ name: '=1+1; -2', attending: true, message: '@x;\n=y "z"', phone: '+1 555' }, call)
    await anonymizeOldRsvps({ days: 365 }, call)
    const file = await exported()
    await clear()

    const sent = { file: Buffer.from(file) }
    expect(await previewImport(sent, call)).toMatchObject({ added: 201, known: [], misfits: [] })
    expect(await stored()).toEqual([])
    expect(await importRsvps(sent, call)).toMatchObject({ added: 201, known: [], misfits: [] })
    const withoutIds = (text: string) => text.replaceAll(/^\d+,/gm, ',')
    expect(withoutIds(await exported())).toBe(withoutIds(file))
    const lines = ['session 7: responses imported 201']
    expect(await auditLines()).toEqual(lines)

    const known = Array.from({ length: 201 }, (_, at) => at + 2)
    expect(await previewImport(sent, call)).toMatchObject({ added: 0, known, misfits: [] })
    expect(await importRsvps(sent, call)).toMatchObject({ added: 0, known, misfits: [] })
    expect(await auditLines()).toEqual(lines)
  })

  it('adds none of a file in which a row does not fit, and says which without quoting it', async () => {
    const wrong = [
      row('Bo', 'canary,Perhaps,yesterday'),
      row('C', 'cy@cole.example,Attending,2031-01-05T14:00:00.000Z'),
    ]
    const sent = csv(titles, row('Ana'), '', ',,,', ...wrong)
    const starting = (text: string) => expect.stringMatching(new RegExp(`^${text}: `))
    const misfits = [
      { row: 5, sentences: [starting('Date'), starting('Status'), 'Email: Invalid email address'] },
      { row: 6, sentences: [starting('Date'), 'Name: Write the name with at least two letters.'] },
    ]
    expect(await previewImport(sent, call)).toMatchObject({ added: 1, known: [], misfits })
    const imported = await importRsvps(sent, call)
    expect(imported).toMatchObject({ added: 0, known: [], misfits })
    expect(JSON.stringify(imported)).not.toContain('canary')
    expect(await stored()).toEqual([])
  })

  it('finds roles by name, and names those that are not there', async () => {
    const file = (roles: string) => csv(`${titles},Volunteer Roles`, `${row('Ana')},${roles}`)
    expect((await previewImport(file('Usher; Juggler'), call)).misfits).toEqual([
      { row: 2, sentences: ['Volunteer Roles: there is no role "Juggler": add it, then import again.'] },
    ])
    await importRsvps(file('Music; Usher'), call)
    expect((await stored())[0]?.volunteerSignups.map(({ role }) => role.name)).toEqual(['Usher', 'Music'])
  })

  it('finds the role on offer where a retired one has the same name', async () => {
    await changeVolunteerRole({ id: '2', retired: true }, call)
    const { id } = await createVolunteerRole({ name: 'Usher' }, call)
    await importRsvps(csv(`${titles},Volunteer Roles`, `${row('Ana')},Usher`), call)
    expect(await stored()).toMatchObject([{ volunteerSignups: [{ role: { id } }] }])
    await changeVolunteerRole({ id: String(id), name: 'Usher too', retired: true }, call)
    await changeVolunteerRole({ id: '2', retired: false }, call)
  })

  it('does not bring back what was deleted since', async () => {
    await importRsvps(csv(titles, row('Ana')), call)
    await deleteRsvps({ ids: (await stored()).map(({ id }) => id) }, call)
    expect(await importRsvps(csv(titles, row('Ana'), row('Ben')), call)).toMatchObject({ added: 1, known: [2] })
    expect(await stored()).toMatchObject([{ name: 'Ben' }])
  })

  it('knows what was changed or made anonymous since it was exported', async () => {
    await importRsvps(csv(titles, row('Jon')), call)
    const named = { file: Buffer.from(await exported()) }
    await transaction((tx) => tx.update(rsvps).set({ name: 'John', email: 'j@roe.example', serviceDate: '2025-02-01' }))
    expect(await importRsvps(named, call)).toMatchObject({ added: 0, known: [2] })
    await anonymizeOldRsvps({ days: 1 }, call)
    expect(await importRsvps(named, call)).toMatchObject({ added: 0, known: [2] })
  })

  it('adds once what two imports bring at once, and twice who has sent twice', async () => {
    const file = csv(titles, row('Ana'), row('Ana').replace('14:00', '15:00'))
    const added = await Promise.all([importRsvps(file, call), importRsvps(file, call)])
    expect(added.map((done) => done.added).toSorted()).toEqual([0, 2])
  })

  it('adds members and texts as they were, also those that spreadsheets would change', async () => {
    const names = 'Cole, Joel|A\\B|Max Ü "M"|=1+1|1-2|\'Tis|Ana (Mom)|Room 5, -3'.split('|')
    const members = names.flatMap((name) => [{ name }, { name, age: 'child', attending: false }])
    const texts = { name: 'True', phone: '01712345678', message: '1/2' }
    await createRsvp(testRsvp({ ...texts, familyMembers: members, volunteerRoles: [2, 3] }), testCall())
    const [before] = await stored()
    const file = Buffer.from(await exported())
    await clear()
    await importRsvps({ file }, call)
    expect(await stored()).toEqual([{ ...before, id: expect.any(Number) }])
  })

  it.each([
    ['Anna (4), Ben (teen)', ['Anna child', 'Ben teen']],
    [
      '"Anna Lind (14); Ben Lind, Cara Lind (adult, not attending)"',
      ['Anna Lind teen', 'Ben Lind', 'Cara Lind adult no'],
    ],
    ['"Anna\nBen (40)\n- Cara"', ['Anna', 'Ben adult', 'Cara']],
    ['no', []],
    ['N/A', []],
    ['Anna (Oma), Ben Lind', ['Anna (Oma)', 'Ben Lind']],
  ])('divides the members of another list as the form does: %s', async (members, read) => {
    await importRsvps(csv('Name;Status;Family Members', `Eva;yes;${members}`), call)
    const [{ familyMembers } = { familyMembers: [] }] = await stored()
    const texts = familyMembers.map(({ name, age, attending }) => [name, age ?? [], attending ? [] : 'no'].flat())
    expect(texts.map((text) => text.join(' '))).toEqual(read)
  })

  it('adds the same row once, and two of which something differs', async () => {
    const again = [row('Ana'), row('Ana'), row('Ana').replace('Attending', 'Not Attending')]
    expect(await importRsvps(csv(titles, ...again), call)).toMatchObject({ added: 2, known: [3] })
    const undated = csv('name,STATUS', 'Ben,yes', 'Ben,yes', 'Eva,no')
    expect(await importRsvps(undated, call)).toMatchObject({ added: 2, known: [3] })
    const numbered = [1, 2, 1].map((id) => `${id},Anonymous,,Attending,2025-01-05T14:00Z`)
    expect(await importRsvps(csv(`Id,${titles}`, ...numbered), call)).toMatchObject({ added: 2, known: [4] })
    const later = testCall({ now: new Date('2025-06-02T12:00:00Z') })
    expect(await importRsvps(undated, later)).toMatchObject({ added: 0, known: [2, 3, 4] })
  })
})

describe('previewImport', () => {
  it.each([
    ['semicolons', (file: string) => file.replaceAll(',', ';')],
    ['tabs', (file: string) => file.replaceAll(',', '\t')],
    ['line feeds and no byte order mark', (file: string) => file.replaceAll('\r\n', '\n')],
    ['a byte order mark and empty lines', (file: string) => `\uFEFF\r\n${file}\r\n\r\n`],
    ['everything in quotes', (file: string) => file.replaceAll(/[^,\r\n]+/g, '"$&"')],
    ['its columns in another order', (file: string) => file.replaceAll(/^(\w+),(.+)/gm, '$2,$1')],
  ])('reads a file with %s', async (_, written) => {
    const file = Buffer.from(written([titles, row('Eva'), row('Ben')].join('\r\n')))
    expect(await previewImport({ file }, call)).toMatchObject({ added: 2, known: [], misfits: [] })
  })

  const tooLarge = /^The file is too large: at most 5 MB and 5,000 rows\./
  const noColumns = /^The file has no column for Status\. Say which it is with --map, e\.g\. --map "Your name\?=Status"/
  it.each([
    ['too many bytes', Buffer.alloc(5_000_001, 'x'), tooLarge],
    ['too many rows', Buffer.from(`${titles}\n${',,,\n'.repeat(5000)}`), tooLarge],
    ['too many empty rows', Buffer.alloc(10_000, '\n'), tooLarge],
    ['too few columns', Buffer.from('Name,Email'), noColumns],
    ['nothing in it', Buffer.alloc(0), /^The file has no column for Name, Status\./],
    ['half a quote', Buffer.from(`${titles}\n"Ana`), /^The file cannot be read as CSV: a quotation mark is missing/],
    ['no UTF-8', Buffer.from([0xff]), /^The file is not UTF-8 text\./],
  ])('refuses a file with %s', async (_, file, message) => {
    const refused = { code: 'invalid', message: expect.stringMatching(message) }
    await expect(previewImport({ file }, call)).rejects.toMatchObject(refused)
  })

  it('takes our titles, and what is said of others', async () => {
    const list = csv('First name,Last name,Coffee?,Counted,Status', 'Ana,Lind,Yes,no,paid', 'Bo,Kim,No,no,open')
    await expect(previewImport(list, call)).rejects.toThrow('The file has no column for Name.')
    const map = ['First name=Name', 'last name=name', 'Status=ignore', 'Coffee?=Status']
    expect(await importRsvps({ ...list, map }, call)).toMatchObject({ added: 2, ignored: ['Status'], isDated: false })
    expect((await stored()).map((each) => [each.name, each.attending])).toEqual([
      ['Bo Kim', false],
      ['Ana Lind', true],
    ])
    for (const wrong of ['Name', 'Nom=Name', 'Coffee?=Nom'])
      await expect(previewImport({ ...list, map: [wrong] }, call)).rejects.toThrow(/^--map: write the title/)
  })

  it.each([
    ['yes true 1 X Attending coming Ja OUI sí Si sim 예 نعم', true, "Yes, I'll be there"],
    ['no FALSE 0 n nein non não 아니요 لا', false, "can't come"],
  ])('reads as a reply: %s', async (words, attending, sentence) => {
    const replies = (...said: string[]) => csv('Name;Status', ...said.map((word, at) => `Ana ${at};${word}`))
    const said = [...words.split(' '), sentence]
    expect(await importRsvps(replies(...said), call)).toMatchObject({ added: said.length })
    expect(new Set((await stored()).map((each) => each.attending))).toEqual(new Set([attending]))
    const unclear = ['Maybe', 'Not sure', 'Yesterday', 'Noah', '']
    expect((await previewImport(replies(...unclear), call)).misfits).toHaveLength(unclear.length)
  })

  it.each([
    ['04/05/2025', '4/3/2025 14:05', 'month-first', '2025-04-03T14:05 2025-04-05'],
    ['05.04.2025', '03.04.2025 14:05:33', 'day-first', '2025-04-03T14:05 2025-04-05'],
    ['05/04/25', '3/4/25', 'day-first', '2025-04-03T00:00 2025-04-05'],
    ['2025/01/11', '2025/01/05 6:03:11 PM', undefined, '2025-01-05T18:03 2025-01-11'],
    ['2025. 1. 11.', '2025. 1. 5. 오전 12:05:33', undefined, '2025-01-05T00:05 2025-01-11'],
    ['٢٠٢٥/٠١/١١', '2025-01-05 14:05:33', undefined, '2025-01-05T14:05 2025-01-11'],
  ] as const)('reads the dates %s and %s', async (service, date, order, read) => {
    const file = csv('Id;Name;Status;Date;Service', `1;Ana;yes;${date};${service}`)
    expect((await importRsvps({ ...file, dates: order }, call)).misfits).toEqual([])
    expect((await stored()).map((each) => `${each.createdAt.slice(0, 16)} ${each.serviceDate}`)).toEqual([read])
  })

  it('reads moments of another list in the zone of the church, and refuses dates of which the order is not said', async () => {
    await changeSchedule({ timeZone: 'America/Chicago' }, call)
    const file = csv('Name;Status;Date', 'Ana;yes;1/20/2025 18:03:11')
    const sentences = [expect.stringMatching(/^Date: give a moment .+ or see --dates\.$/)]
    expect(await importRsvps(file, call)).toMatchObject({ added: 0, misfits: [{ row: 2, sentences }] })
    await importRsvps({ ...file, dates: 'month-first' }, call)
    expect(await stored()).toMatchObject([{ createdAt: '2025-01-21T00:03:11.000Z', serviceDate: '2025-01-25' }])
    await clear()
    await importRsvps(csv('Name;Status;Date', 'Ana;yes;2025-01-18T15:00:00.000Z'), call)
    expect(await stored()).toMatchObject([{ createdAt: '2025-01-18T15:00:00.000Z', serviceDate: '2025-01-18' }])
    await emptyTables(schedules)
  })
})
