import { beforeEach, describe, expect, it } from 'vitest'
import { emptyTables, openForTests, testCall } from '#db/fixtures.ts'
import { examineCsv, importRsvps } from './import.ts'
import { listRsvps, responsesOf } from './list.ts'
import { isUnicode } from './read-csv.ts'
import { attendingFrom } from './read-texts.ts'
import { changeSchedule } from './service-dates.ts'
import { rsvps } from './table.ts'

const call = testCall({ now: new Date('2025-06-01T12:00:00Z') })
const stored = async () => responsesOf(await listRsvps({}, call))

openForTests()
beforeEach(() => emptyTables(rsvps))

describe('a list of another program', () => {
  const people = async () =>
    (await stored()).map(({ name, email, attending, createdAt }) =>
      [name, email, attending, createdAt.slice(0, 16)].join(' '),
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
    ['a Korean one', '타임스탬프,이름,이메일,참석\r\n2025. 1. 20. 오후 6:03:11,Ana Lind,a@b.example,예'],
    ['sep=', 'sep=|\r\nNAME|e-mail|Attending|timestamp\r\nAna Lind|a@b.example|TRUE|2025/01/20 6:03:11 PM GMT-6'],
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
    expect([attendingFrom("Yes, I'll be there"), attendingFrom("can't come"), attendingFrom('Not Attending')]).toEqual([
      true,
      false,
      false,
    ])
  })

  it('is not guessed where several columns could be one, or none is; --map says it', async () => {
    const file = Buffer.from('First name,Last name,Coffee?,Counted\r\nAna,Lind,Yes,no\r\nBo,Kim,No,no')
    const doubt =
      'The file has no column for Name, Status. It is not clear what is in "First name", "Last name", "Coffee?". Say it'
    await expect(importRsvps({ file }, call)).rejects.toThrow(doubt)
    const map = ['First name=Name', 'last name=name', 'Coffee?=Status']
    expect((await examineCsv({ file, map }, call)).columns.map(({ field }) => field)).toEqual([
      'name',
      'name',
      'attending',
      undefined,
    ])
    expect(await importRsvps({ file, map }, call)).toMatchObject({ added: 2 })
    expect((await people()).map((text) => text.slice(0, 8))).toEqual(['Bo Kim  ', 'Ana Lind'])
    const two = Buffer.from('Name,Will you come?,Will Ana come?\r\nAna,Yes,No')
    await expect(importRsvps({ file: two }, call)).rejects.toThrow('is in "Will you come?", "Will Ana come?". Say')
    expect(await importRsvps({ file: two, map: ['Will Ana come?=ignore'] }, call)).toMatchObject({ added: 1 })
    for (const wrong of ['Name', 'Nom=Name', 'Name=Nom']) {
      await expect(importRsvps({ file: two, map: [wrong] }, call)).rejects.toThrow(/^--map: /)
    }
  })

  it.each([
    ['UTF-16', Buffer.from('\uFEFFName\tStatus\r\nÁna Núñez\tYes', 'utf16le'), undefined],
    ['UTF-16 of Macs', Buffer.from('\uFEFFName;Status\r\nÁna Núñez;Yes', 'utf16le').swap16(), undefined],
    ['Windows-1252', Buffer.from('Name;Status\r\nÁna Núñez;Yes', 'latin1'), 'windows-1252'],
  ])('is read in %s', async (_, file, encoding) => {
    expect(isUnicode(file)).toBe(encoding === undefined)
    expect(await importRsvps({ file, encoding }, call)).toMatchObject({ added: 1 })
    expect(await stored()).toMatchObject([{ name: 'Ána Núñez' }])
  })
})
