import { beforeEach, expect, it } from 'vitest'
import { auditEntries } from '#db/audit/table.ts'
import { clockMarks } from '#db/clock/table.ts'
import { auditLines, describeOnBothDatabases, testCall } from '#db/fixtures.ts'
import { csvDocument } from '#db/rsvp/csv.ts'
import { addRsvp } from '#db/rsvp/entry.ts'
import { importRsvps, previewImport } from '#db/rsvp/import.ts'
import { listRsvps, responsesFrom, responsesOf } from '#db/rsvp/list.ts'
import { changeVolunteerRole } from '#db/rsvp/roles.ts'
import { rsvps } from '#db/rsvp/table.ts'
import { db, transaction } from '#db/storage/client.ts'
import { createVolunteerRole } from '#db/volunteer-role/operations.ts'
import { deleteRsvps } from './delete.ts'
import { anonymizeOldRsvps } from './purge.ts'
import { createSampleRsvps } from './sample.ts'

const call = testCall({ actor: 'session 7', now: new Date('2025-06-01T12:00:00Z') })
const titles = 'Name,Email,Status,Date'
const row = (name: string, rest = `${name.toLowerCase()}@cole.example,Attending,2025-01-05T14:00:00.000Z`) =>
  `${name},${rest}`
const csv = (...lines: string[]) => ({ file: Buffer.from(lines.join('\r\n')) })

async function exported(): Promise<string> {
  const pieces = csvDocument(responsesFrom(await listRsvps({}, call), call))
  return (await Array.fromAsync(pieces)).join('')
}
const withoutIds = (file: string) => file.replaceAll(/^\d+,/gm, ',')
const stored = async () => responsesOf(await listRsvps({}, call))

describeOnBothDatabases('importRsvps', () => {
  beforeEach(async () => {
    await transaction((tx) => tx.batch([tx.delete(rsvps), tx.delete(auditEntries)]))
  })

  it('brings 500 exported responses back as they were, and the same file adds nothing more', async () => {
    const moments = Array.from({ length: 500 }, (_, at) => new Date(Date.UTC(2025, 0, 1 + (at % 20))).toISOString())
    await createSampleRsvps(moments, call)
    await addRsvp({ name: '=1+1; -2', attending: true, message: '@x;\n=y "z"', phone: '+1 555' }, call)
    await anonymizeOldRsvps({ days: 140 }, call)
    const file = await exported()
    await transaction((tx) => tx.batch([tx.delete(rsvps), tx.delete(auditEntries)]))

    const sent = { file: Buffer.from(file) }
    expect(await previewImport(sent, call)).toEqual({ added: 501, left: 0, known: [], misfits: [] })
    expect(await stored()).toEqual([])
    expect(await importRsvps(sent, call)).toEqual({ added: 501, left: 0, known: [], misfits: [] })
    expect(withoutIds(await exported())).toBe(withoutIds(file))
    expect(await auditLines()).toEqual([200, 200, 101].map((rows) => `session 7: responses imported ${rows}`))

    const known = Array.from({ length: 501 }, (_, at) => at + 2)
    expect(await previewImport(sent, call)).toEqual({ added: 0, left: 0, known, misfits: [] })
    expect(await importRsvps(sent, call)).toEqual({ added: 0, left: 0, known, misfits: [] })
    expect(await auditLines()).toHaveLength(3)
  })

  it.each([
    ['semicolons', (file: string) => file.replaceAll(',', ';')],
    ['tabs', (file: string) => file.replaceAll(',', '\t')],
    ['line feeds and no byte order mark', (file: string) => file.replaceAll('\r\n', '\n')],
    ['a byte order mark and empty lines', (file: string) => `\uFEFF\r\n${file}\r\n\r\n`],
    ['everything in quotes', (file: string) => file.replaceAll(/[^,\r\n]+/g, '"$&"')],
  ])('reads a file with %s', async (_, written) => {
    await importRsvps({ file: Buffer.from(written([titles, row('Ana'), row('Ben')].join('\r\n'))) }, call)
    expect(await stored()).toMatchObject([{ name: 'Ben' }, { name: 'Ana', serviceDate: '2025-01-11' }])
  })

  it('adds none of a file in which a row does not fit, and says which without quoting it', async () => {
    const wrong = [
      row('Bo', 'canary,Perhaps,yesterday'),
      row('C', 'cy@cole.example,Attending,2031-01-05T14:00:00.000Z'),
    ]
    const sent = csv(titles, row('Ana'), '', ',,,', ...wrong)
    const misfits = [
      {
        row: 5,
        sentences: [
          expect.stringMatching(/^Date: /),
          expect.stringMatching(/^Status: /),
          'Email: Invalid email address',
        ],
      },
      { row: 6, sentences: [expect.stringMatching(/^Date: /), 'Name: Name is required'] },
    ]
    expect(await previewImport(sent, call)).toEqual({ added: 1, left: 0, known: [], misfits })
    const imported = await importRsvps(sent, call)
    expect(imported).toEqual({ added: 0, left: 0, known: [], misfits })
    expect(JSON.stringify(imported)).not.toContain('canary')
    expect(await stored()).toEqual([])
  })

  it('names roles that are not there', async () => {
    const file = csv(`${titles},Volunteer Roles`, `${row('Ana')},Usher; Juggler`)
    expect((await previewImport(file, call)).misfits).toEqual([
      { row: 2, sentences: ['Volunteer Roles: there is no role "Juggler": add it, then import again.'] },
    ])
  })

  it('knows a role with a semicolon in its name', async () => {
    const { id } = await createVolunteerRole({ name: 'Set up; Usher' }, call)
    const file = csv(`${titles},Volunteer Roles`, `${row('Ana')},Set up; Usher; Usher`)
    expect((await previewImport(file, call)).misfits).toEqual([])
    await importRsvps(file, call)
    expect((await stored())[0]?.volunteerSignups.map(({ role }) => role.name)).toEqual(['Usher', 'Set up; Usher'])
    await changeVolunteerRole({ id: String(id), retired: true }, call)
  })

  it('does not bring back what was deleted since, and adds two people of one name', async () => {
    const same = ['Ana,,Attending,2025-01-05T14:00:00.000Z', 'Ana,,Attending,2025-01-05T15:00:00.000Z']
    await importRsvps(csv(titles, same[0] ?? ''), call)
    await deleteRsvps({ ids: (await stored()).map(({ id }) => id) }, call)
    expect(await importRsvps(csv(titles, ...same), call)).toMatchObject({ added: 1, known: [2] })
    expect(await stored()).toMatchObject([{ createdAt: '2025-01-05T15:00:00.000Z' }])
  })

  it('knows what was exported here by its number and name, whatever else it says by now', async () => {
    await importRsvps(csv(titles, row('Ana Cole', 'one@cole.example,Attending,2025-01-05T14:00:00.000Z')), call)
    const file = await exported()
    await transaction((tx) => tx.update(rsvps).set({ email: 'ana@roe.example', serviceDate: '2025-02-01' }))
    // A clerk copies a row of a spreadsheet and types over the name.
    const lines = file.trimEnd().split('\r\n')
    const copied = [...lines, lines[1]?.replace('Ana Cole', 'Bob Fox')].join('\r\n')
    expect(await importRsvps({ file: Buffer.from(copied) }, call)).toMatchObject({ added: 1, known: [2] })
    expect(await stored()).toMatchObject([{ name: 'Bob Fox', email: 'one@cole.example' }, { name: 'Ana Cole' }])
  })

  it('knows what was renamed or made anonymous since it was exported, or before that', async () => {
    await importRsvps(csv(titles, row('Jon', 'jon@cole.example,Attending,2025-01-05T14:00:00.000Z')), call)
    const named = Buffer.from(await exported())
    await transaction((tx) => tx.update(rsvps).set({ name: 'John', serviceDate: '2025-02-01' }))
    expect(await importRsvps({ file: named }, call)).toMatchObject({ added: 0, known: [2] })
    await anonymizeOldRsvps({ days: 1 }, call)
    const anonymous = Buffer.from(await exported())
    expect(await importRsvps({ file: named }, call)).toMatchObject({ added: 0, known: [2] })
    await transaction((tx) =>
      tx.update(rsvps).set({ name: 'Jon', email: 'jon@cole.example', serviceDate: '2025-01-11' }),
    )
    expect(await importRsvps({ file: anonymous }, call)).toMatchObject({ added: 0, known: [2] })
  })

  it('adds a copied row with another name, for all the same number and email', async () => {
    await importRsvps(csv(titles, row('Ana Cole', 'ana@cole.example,Attending,2025-01-05T14:00:00.000Z')), call)
    const lines = (await exported()).trimEnd().split('\r\n')
    const copied = [lines[0], lines[1]?.replace('Ana Cole', 'Bob Fox'), lines[1]].join('\r\n')
    expect(await importRsvps({ file: Buffer.from(copied) }, call)).toMatchObject({ added: 1, known: [3] })
  })

  it('does not bring back the name of what the retention has made anonymous', async () => {
    await importRsvps(csv(titles, row('Ana')), call)
    const file = Buffer.from(await exported())
    await anonymizeOldRsvps({ days: 1 }, call)
    expect(await importRsvps({ file }, call)).toMatchObject({ added: 0, known: [2] })
  })

  it('adds once what two imports bring at once, and twice who has sent twice', async () => {
    const file = csv(titles, row('Ana'), row('Ana').replace('14:00', '15:00'))
    const added = await Promise.all([importRsvps(file, call), importRsvps(file, call)])
    expect(added.map((done) => done.added).toSorted()).toEqual([0, 2])
  })

  it('stops between two writes, says how much is left, and adds the rest when it is asked again', async () => {
    const file = csv(
      titles,
      ...Array.from({ length: 450 }, (_, at) =>
        row(`Ana ${at}`, `a${at}@cole.example,Attending,2025-01-05T14:00:00.000Z`),
      ),
    )
    const stop = new AbortController()
    const running = importRsvps({ ...file, signal: stop.signal }, call)
    while ((await db.$count(rsvps)) === 0) await new Promise((resolve) => setTimeout(resolve, 1))
    stop.abort()
    const { added, left } = await running
    expect([added + left, await db.$count(rsvps)]).toEqual([450, added])
    expect(await importRsvps(file, call)).toMatchObject({ added: left, left: 0 })
    expect(await db.$count(rsvps)).toBe(450)
  })

  it.each([
    ['bytes', Buffer.alloc(20_000_001, 'x')],
    ['rows', Buffer.from(`${titles}\n${',,,\n'.repeat(50_000)}`)],
    ['empty rows', Buffer.alloc(20_000_000, '\n')],
  ])('refuses a file with too many %s', async (_, file) => {
    const message = expect.stringMatching(/^The file is too large: at most 20 MB and 50,000 rows\./)
    await expect(previewImport({ file }, call)).rejects.toMatchObject({ code: 'invalid', message })
  })

  it('finds the role on offer where a retired one has the same name', async () => {
    await changeVolunteerRole({ id: '2', retired: true }, call)
    const { id } = await createVolunteerRole({ name: 'Usher' }, call)
    await importRsvps(csv(`${titles},Volunteer Roles`, `${row('Ana')},Usher`), call)
    expect(await stored()).toMatchObject([{ volunteerSignups: [{ role: { id } }] }])
    await changeVolunteerRole({ id: String(id), name: 'Usher too', retired: true }, call)
    await changeVolunteerRole({ id: '2', retired: false }, call)
  })

  it('does not count the retention anew', async () => {
    await transaction((tx) => tx.update(clockMarks).set({ seenAt: call.now.toISOString() }))
    await importRsvps(csv(titles, row('Ana')), call)
    expect(await db.select({ keptFrom: rsvps.keptFrom }).from(rsvps)).toEqual([{ keptFrom: null }])
  })

  it.each([
    [
      'Name,Email',
      'This is no CSV of `rsvp export`: it has no column Status, Date. Choose another file, or name its columns as there.',
    ],
    [
      `${titles}\n"Ana`,
      'The file cannot be read as CSV: a quotation mark is missing or in a wrong place. Save it once more as CSV.',
    ],
    [
      '',
      'This is no CSV of `rsvp export`: it has no column Name, Status, Date. Choose another file, or name its columns as there.',
    ],
  ])('refuses %j', async (text, message) => {
    await expect(previewImport(csv(text), call)).rejects.toMatchObject({ code: 'invalid', message })
  })

  it('refuses what is not UTF-8', async () => {
    const file = Buffer.concat([Buffer.from(titles), Buffer.from([0xff])])
    await expect(previewImport({ file }, call)).rejects.toMatchObject({ code: 'invalid' })
  })
})
