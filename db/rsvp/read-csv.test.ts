import { beforeEach, describe, expect, it } from 'vitest'
import { emptyTables, openForTests, testCall } from '#db/fixtures.ts'
import { importRsvps } from './import.ts'
import { listRsvps, responsesOf } from './list.ts'
import { attendingFrom } from './read-texts.ts'
import { changeSchedule } from './service-dates.ts'
import { rsvps } from './table.ts'

const call = testCall({ now: new Date('2025-06-01T12:00:00Z') })
const stored = async () => responsesOf(await listRsvps({}, call))

openForTests()
beforeEach(() => emptyTables(rsvps))
const csv = (...lines: string[]) => ({ file: Buffer.from(lines.join('\r\n')) })

describe('a list of another program', () => {
  const people = async () =>
    (await stored()).map(({ name, email, attending, createdAt, familyMembers }) =>
      [name, email, attending, createdAt.slice(0, 16), ...familyMembers].join(' '),
    )

  it.each([
    [
      'Google Forms',
      'Timestamp,Email Address,Your name?,Will you come?,T-shirt\r\n1/20/2025 18:03:11,a@b.example,Ana Lind,Yes,M',
    ],
    [
      'a German one',
      'Zeitstempel;Vor- und Nachname;E-Mail-Adresse;Kommst du?\r\n20.01.2025 18:03:11;Ana Lind;a@b.example;Ja',
    ],
    ['a French one', 'Horodateur;Nom;Courriel;Participation\r\n20/01/2025 18:03:11;Ana Lind;a@b.example;Oui, bien sûr'],
    ['a Spanish one', 'Marca temporal;Nombre;Correo;¿Asistirá?\r\n20/01/2025 18:03:11;Ana Lind;a@b.example;Sí'],
    ['an Arabic one', 'طابع زمني,الاسم,البريد الإلكتروني,هل ستحضر؟\r\n20/01/2025 18:03:11,Ana Lind,a@b.example,نعم'],
    ['a Korean one', '타임스탬프,이름,이메일,참석\r\n2025. 1. 20. 오후 6:03:11,Ana Lind,a@b.example,예'],
    [
      'the CSV of a form',
      'NAME,e-mail,RSVP,timestamp,Dish to bring\r\nAna Lind,a@b.example,TRUE,2025/01/20 6:03:11 PM GMT-6,Soup',
    ],
  ])('is read: %s', async (kind, text) => {
    await changeSchedule({ timeZone: 'America/Chicago' }, call)
    expect(await importRsvps({ file: Buffer.from(text) }, call)).toMatchObject({ added: 1, misfits: [] })
    expect([kind, await people()]).toEqual([kind, ['Ana Lind a@b.example true 2025-01-21T00:03']])
  })

  it.each([
    ['yes true 1 X Attending coming going Ja OUI sí Si sim 예 نعم', true],
    ['no FALSE 0 n nein non não nao 아니요 لا', false],
  ])('says %s', async (words, attending) => {
    for (const word of words.split(' ')) expect([word, attendingFrom(word)]).toEqual([word, attending])
    for (const word of ['Maybe', 'Not sure', 'Yesterday', 'Noah', '']) expect(attendingFrom(word)).toBeUndefined()
    expect(attendingFrom(attending ? "Yes, I'll be there" : "can't come")).toBe(attending)
  })

  it('is not guessed where several columns could be one, or none is; --map says it', async () => {
    const file = Buffer.from('First name,Last name,Coffee?,Counted\r\nAna,Lind,Yes,no\r\nBo,Kim,No,no')
    await expect(importRsvps({ file }, call)).rejects.toThrow(
      'The file has no column for Status. It is not clear what is in "First name", "Last name". Say it with --map, e.g. --map "First name=Name", or =ignore',
    )
    const map = ['First name=Name', 'last name=name', 'Coffee?=Status']
    const { added, columns } = await importRsvps({ file, map }, call)
    expect([added, columns.map(({ becomes }) => becomes)]).toEqual([2, ['Name', 'Name', 'Status', undefined]])
    expect((await people()).map((text) => text.slice(0, 8))).toEqual(['Bo Kim  ', 'Ana Lind'])
    const two = Buffer.from('Name,Will you come?,Will Ana come?\r\nAna,Yes,No')
    await expect(importRsvps({ file: two }, call)).rejects.toThrow('is in "Will you come?", "Will Ana come?". Say')
    expect(await importRsvps({ file: two, map: ['Will Ana come?=ignore'] }, call)).toMatchObject({ added: 1 })
    for (const wrong of ['Name', 'Nom=Name', 'Name=Nom']) {
      await expect(importRsvps({ file: two, map: [wrong] }, call)).rejects.toThrow(/^--map: /)
    }
  })

  it('is read as an older Excel has saved it, if that is said', async () => {
    const file = Buffer.from('Name;Status\r\nÁna Núñez;Yes', 'latin1')
    expect(await importRsvps({ file, encoding: 'windows-1252' }, call)).toMatchObject({ added: 1 })
    expect(await stored()).toMatchObject([{ name: 'Ána Núñez' }])
  })
})

describe('the dates of a file', () => {
  const dated = (...lines: string[]) =>
    csv('Id;Name;Status;Date;Service', ...lines.map((line, at) => `${at + 1};Ana ${at}${line}`))
  const dates = async () =>
    (await stored()).map(({ createdAt, serviceDate }) => `${createdAt.slice(0, 16)} ${serviceDate}`)

  it.each([
    ['04/05/2025', '4/3/2025 14:05', 'month-first', '2025-04-03T14:05 2025-04-05'],
    ['05.04.2025', '03.04.2025 14:05:33', 'day-first', '2025-04-03T14:05 2025-04-05'],
    ['05/04/25', '3/4/25', 'day-first', '2025-04-03T00:00 2025-04-05'],
    ['2025/01/11', '2025/01/05 6:03:11 PM GMT-6', undefined, '2025-01-06T00:03 2025-01-11'],
    ['2025. 1. 11.', '2025. 1. 5. 오후 2:05:33', undefined, '2025-01-05T14:05 2025-01-11'],
    ['٢٠٢٥/٠١/١١', '2025-01-05 14:05:33', undefined, '2025-01-05T14:05 2025-01-11'],
  ] as const)('are read as %s and %s', async (service, date, order, read) => {
    const imported = await importRsvps({ ...dated(`;yes;${date};${service}`), dates: order }, call)
    expect([imported.misfits, await dates()]).toEqual([[], [read]])
  })

  it.each([
    ['nothing tells the two orders apart', ';yes;2/3/2025;', /can be March 4 or April 3\./],
    ['both are in the file', ';yes;1/13/2025;\r\n2;Ben;yes;13/1/2025;', /^In this file, dates such as/],
  ])('are asked for where %s', async (_, line, message) => {
    const file = dated(line)
    const refused = { code: 'invalid', message: expect.stringMatching(message) }
    await expect(importRsvps(file, call)).rejects.toMatchObject(refused)
  })

  it('are told apart by days that exist, or by what the clerk says', async () => {
    expect(await importRsvps(dated(';no;1/13/2025;', ';no;2/3/2025;'), call)).toMatchObject({ added: 2 })
    expect(await importRsvps({ ...dated(';no;4/3/2025;'), dates: 'day-first' }, call)).toMatchObject({ added: 1 })
    expect((await dates()).map((text) => text.slice(0, 10))).toEqual(['2025-03-04', '2025-02-03', '2025-01-13'])
  })
})
