import { describe, expect, it } from 'vitest'
import { testCall } from '#db/fixtures.ts'
import { changeVolunteerRole } from '#db/rsvp/roles.ts'
import { getSchedule } from '#db/schedule/operations.ts'
import { dayText } from '#db/values/dates.ts'
import { createVolunteerRole, listEveryVolunteerRole } from '#db/volunteer-role/operations.ts'
import { rsvp, rsvpDrawn, testDatabase } from '../fixtures.ts'

const { url } = testDatabase()
const call = testCall()

const roles = (...words: string[]) => rsvp(url, ['roles', ...words])
const said = (stderr: string) => ({ code: 0, signal: null, stdout: '', stderr })
const every = () => listEveryVolunteerRole(call)
const role = async (id: number) => (await every()).find((known) => known.id === id)

/** A role with a name that nothing else in this file has. */
async function made(name: string, { retired = false } = {}): Promise<number> {
  const { id } = await createVolunteerRole({ name }, call)
  if (retired) await changeVolunteerRole({ id: String(id), retired }, call)
  return id
}

describe('rsvp roles', () => {
  it('shows every role in the order they were made, also the retired ones, as lines and as JSON', async () => {
    await changeVolunteerRole({ id: '3', retired: true }, call)
    await changeVolunteerRole({ id: '1', needed: 2 }, call)
    expect(await roles()).toMatchObject({
      code: 0,
      stdout: [
        '1\tGreeter\toffered\t2\n',
        '2\tUsher\toffered\tnone\n',
        '3\tMusic\tretired\tnone\n',
        "4\tChildren's Class\toffered\tnone\n",
        '5\tAudio and Video\toffered\tnone\n',
        '6\tFellowship Meal\toffered\tnone\n',
      ].join(''),
      stderr: '',
    })
    const { stdout } = await roles('--json')
    expect(JSON.parse(stdout)).toEqual(await every())
    expect(JSON.parse(stdout)).toContainEqual({ id: 1, name: 'Greeter', retired: false, needed: 2 })
  })

  it('draws a table in a terminal, without what a terminal would obey', async () => {
    await made('Bells\u001b[2J and \u202eChoir')
    const terminal = await rsvpDrawn(url, ['roles'], { columns: 60 })
    const [head, ...lines] = terminal.screen().split('\n')
    expect(head).toMatch(/^Id +Role +State +Needed$/)
    expect(lines).toHaveLength(7)
    expect(lines[2]).toMatch(/^3 +Music +retired +none$/)
    expect(lines[6]).toMatch(/^7 +Bells and {2}Choir +offered +none$/)
  })

  it.each([
    [['uSHER', '--add'], 2, 'There is a role named uSHER already. Give this one another name.'],
    [['Lights', '--add', '--retire'], 2, 'With --add give --needed or nothing.'],
    [['Greeter', '--needed', '0'], 2, 'Give a whole number from 1 up, or none.'],
    [['Greeter'], 2, 'Say what to change, e.g. `rsvp roles Greeter --needed 3`.'],
    [['--needed', '3'], 2, 'Say which role, e.g. `rsvp roles Greeter --needed 3`.'],
    [['Greeter', '--retire', '--offer'], 2, 'cannot be used with option'],
    [['999', '--needed', '3'], 3, 'There is no role "999": see `rsvp roles`.'],
    [['Unknown', '--name', 'Anything'], 3, 'There is no role "Unknown": see `rsvp roles`.'],
  ])('refuses %j with %i, and changes nothing', async (words, code, sentence) => {
    const before = await every()
    const { stderr, ...ended } = await roles(...words)
    expect(ended).toEqual({ code, signal: null, stdout: '' })
    expect(stderr).toContain(sentence)
    expect(stderr.includes('see rsvp roles --help')).toBe(code === 2)
    expect(await every()).toEqual(before)
  })
})

describe('rsvp roles, of a change', () => {
  it('adds a role and says so, prints it as JSON, and says nothing with --quiet', async () => {
    expect(await roles('  Parking ', '--add')).toEqual(said('Parking is offered now.\n'))
    expect((await every()).at(-1)).toMatchObject({ name: 'Parking', retired: false, needed: null })
    const { stdout, stderr } = await roles('Coffee and Tea', '--add', '--needed', '3', '--json')
    expect([JSON.parse(stdout), stderr]).toMatchObject([{ name: 'Coffee and Tea', needed: 3 }, ''])
    expect((await every()).at(-1)).toMatchObject(JSON.parse(stdout))
    expect(await roles('Flowers', '--add', '--quiet')).toEqual(said(''))
  })

  it('changes how many people a role needs', async () => {
    const id = await made('Welcome')
    const sentences = { 3: '3 people', 1: '1 person', none: 'as many people as want to' }
    for (const [needed, people] of Object.entries(sentences)) {
      const stderr = `Welcome is for ${people} at each service now.\n`
      expect(await roles('welcome', '--needed', needed)).toEqual(said(stderr))
      expect(await role(id)).toMatchObject({ needed: needed === 'none' ? null : Number(needed) })
    }
  })

  it('says for which of the next services more people fill it than it needs now', async () => {
    const id = await made('Ushering')
    const { services } = await getSchedule(testCall({ now: new Date() }))
    const date = services[1]?.date ?? ''
    for (const name of ['Ana Cole', 'Bea Cole']) {
      const added = await rsvp(url, ['add', '--name', name, '--role', 'ushering', '--week', date])
      expect(added).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Added response \d+\.\n$/) })
    }
    const excess = `Ushering on ${dayText(date)}: 2 of 1, 1 more than needed.\n`
    const changed = await roles(String(id), '--needed', '1')
    expect(changed.stderr).toBe(`Ushering is for 1 person at each service now.\n${excess}`)
    const added = await rsvp(url, ['add', '--name', 'Cy Fox', '--role', 'ushering', '--week', date, '--json'])
    expect(added.stderr).toBe(excess.replace('2 of 1, 1 more', '3 of 1, 2 more'))
    const edited = await rsvp(url, ['edit', String(JSON.parse(added.stdout).id), '--phone', '555', '--quiet'])
    expect(edited).toMatchObject({ code: 0, stderr: '' })
  })

  it('renames by number, and by name in any capitals, also a retired one, which stays retired', async () => {
    const id = await made('Deacon')
    expect(await roles(String(id), '--name', 'Deacons')).toEqual(said('Deacon is called Deacons now.\n'))
    expect(await roles(' DEACONS', '--name', 'deacons')).toMatchObject({ code: 0 })
    expect(await role(id)).toEqual({ id, name: 'deacons', retired: false, needed: null })
    const old = await made('Overhead Projector', { retired: true })
    const { stdout } = await roles('overhead projector', '--name', 'Projector', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ id: old, name: 'Projector' })
    expect(await role(old)).toMatchObject({ name: 'Projector', retired: true })
  })

  it('stops offering a role and brings it back, by name and by number', async () => {
    const id = await made('Scripture Reading')
    const gone = `Scripture Reading is no longer offered. \`rsvp roles ${id} --offer\` offers it again.\n`
    expect(await roles('scripture reading', '--retire')).toEqual(said(gone))
    expect(await role(id)).toMatchObject({ retired: true })
    expect(await roles(String(id), '--offer')).toEqual(said('Scripture Reading is offered again.\n'))
    expect(await role(id)).toMatchObject({ retired: false })
  })
})

describe('a name that an old and an offered role share', () => {
  it('means the offered one to retire and rename, the old one to offer', async () => {
    const old = await made('Piano', { retired: true })
    const offered = await made('Piano')
    const taken = 'There is a role named Piano already. Give this one another name.\nsee rsvp roles --help\n'
    expect(await roles('piano', '--offer')).toMatchObject({ code: 2, stderr: taken })
    expect(await roles('piano', '--name', 'Organ')).toMatchObject({ code: 0 })
    expect(await role(offered)).toMatchObject({ name: 'Organ' })
    expect(await roles('organ', '--name', 'Piano')).toMatchObject({ code: 0 })
    expect(await roles('piano', '--retire')).toMatchObject({ code: 0 })
    expect(await role(offered)).toMatchObject({ retired: true })
    expect(await role(old)).toMatchObject({ name: 'Piano', retired: true })
  })

  it('means nothing where both are retired, and a number then does', async () => {
    const older = await made('Violin', { retired: true })
    const old = await made('Violin', { retired: true })
    const several = 'Several roles have that name: give a number from `rsvp roles`.\nsee rsvp roles --help\n'
    for (const words of [['--offer'], ['--retire'], ['--name', 'Viola']]) {
      expect(await roles('violin', ...words)).toMatchObject({ code: 2, stderr: several })
    }
    expect(await roles(String(older), '--offer')).toMatchObject({ code: 0 })
    expect(await role(older)).toMatchObject({ retired: false })
    expect(await role(old)).toMatchObject({ retired: true })
  })

  it('means the one with that number, where another has it as its name', async () => {
    const named = await made('2')
    expect(await roles('2', '--retire')).toMatchObject({ code: 0 })
    expect(await role(2)).toMatchObject({ retired: true })
    expect(await role(named)).toMatchObject({ retired: false })
  })
})
