import { beforeEach, expect, it } from 'vitest'
import { changeVolunteerRole, createVolunteerRole } from '#db/rsvp/roles.ts'
import { auditEntries } from '#db/tables/access.ts'
import { events, eventTranslations } from '#db/tables/invitation.ts'
import { auditLines, describeOnBothDatabases, emptyTables, testCall, testEvent } from '#testing/database-fixtures.ts'
import type { Call } from './call.ts'
import {
  changeEvent,
  changeEventLanguage,
  changeEventTexts,
  findEventTranslation,
  getEvent,
  getEventLanguages,
  saveEventTranslation,
} from './event.ts'

const call = testCall()
const texts = {
  title: 'Culto del sábado',
  subtitle: '',
  eventTitle: '',
  description: '',
  date: 'Cada sábado',
  time: '',
  location: '',
  contact: '',
  roles: {},
  whatToExpect: 'Hay café.\nHay sitio para niños.',
  parking: 'Estacione detrás.',
  children: '',
}
const byActor = (act: string) => `${call.actor}: ${act}`
const save = (more: object = {}) => saveEventTranslation({ language: 'es', ...texts, ...more }, call)
const remove = () => saveEventTranslation({ language: 'es' }, call)
const translated = async () => (await getEventLanguages()).translations.map(({ language }) => language)

describeOnBothDatabases('the event in other languages', () => {
  beforeEach(async () => {
    await emptyTables(events, eventTranslations)
    await changeEvent(testEvent(), call)
    await emptyTables(auditEntries)
  })

  it('keeps translations as typed, and does not change the event', async () => {
    const stored = await saveEventTranslation({ language: 'es', title: ' Culto ', date: 'Cada sábado' }, call)
    const spanish = { ...texts, language: 'es', title: 'Culto', whatToExpect: '', parking: '' }
    expect(stored).toEqual({ language: 'en', translations: [spanish] })
    expect(await getEventLanguages()).toEqual(stored)
    expect(await getEvent()).toEqual(testEvent())
  })

  it('gives visitors only the texts that are translated', async () => {
    await save()
    const { title, date, whatToExpect, parking } = texts
    expect(await findEventTranslation({ language: 'es' }, call)).toEqual({
      language: 'en',
      texts: { title, date, whatToExpect, parking },
      roles: {},
    })
    expect(await findEventTranslation({ language: 'de' }, call)).toEqual({ language: 'en', texts: {}, roles: {} })
  })

  it('replaces all texts of one language only', async () => {
    await save()
    await saveEventTranslation({ language: 'de', title: 'Gottesdienst' }, call)
    const { translations } = await saveEventTranslation({ language: 'es', time: '10 h' }, call)
    expect(translations).toMatchObject([
      { language: 'de', title: 'Gottesdienst' },
      { ...texts, language: 'es', title: '', date: '', whatToExpect: '', parking: '', time: '10 h' },
    ])
  })

  it('has the names of roles by their original names; visitors do not see retired ones', async () => {
    const [parking, kitchen] = await Promise.all(
      ['Parking', 'Kitchen'].map((name) => createVolunteerRole({ name }, call)),
    )
    const roles = { [parking?.id ?? 0]: ' Aparcamiento ', [kitchen?.id ?? 0]: 'Cocina' }
    await saveEventTranslation({ language: 'es', roles: { ...roles, 1: '' } }, call)
    await changeVolunteerRole({ id: `${kitchen?.id}`, retired: true }, call)
    const found = async (who: Call) => (await findEventTranslation({ language: 'es' }, who)).roles
    expect(await found(call)).toEqual({ Parking: 'Aparcamiento', Kitchen: 'Cocina' })
    const visitor = { ...call, role: 'visitor' as const }
    expect(await found(visitor)).toEqual({ Parking: 'Aparcamiento' })
    expect((await findEventTranslation({ language: 'de' }, call)).roles).toEqual({})
  })

  it('removes a translation without texts', async () => {
    await save()
    expect(await remove()).toEqual({ language: 'en', translations: [] })
    expect(await findEventTranslation({ language: 'es' }, call)).toEqual({ language: 'en', texts: {}, roles: {} })
    await remove()
    expect(await auditLines()).toEqual(['event translated es', 'event translation removed es'].map(byActor))
  })

  it('refuses a translation into the language of the event itself', async () => {
    await save()
    await expect(changeEventLanguage({ language: 'es' }, call)).rejects.toMatchObject({ code: 'invalid' })
    expect((await changeEventLanguage({ language: 'ko' }, call)).language).toBe('ko')
    await expect(save({ language: 'ko' })).rejects.toMatchObject({ code: 'invalid' })
    await save({ language: 'en' })
    await changeEventTexts({ time: '9 AM' }, call)
    expect((await getEventLanguages()).language).toBe('ko')
    expect(await translated()).toEqual(['en', 'es'])
  })

  it('refuses the language of an event that is not stored', async () => {
    await emptyTables(events)
    await expect(changeEventLanguage({ language: 'es' }, call)).rejects.toMatchObject({ code: 'not-found' })
    expect((await getEventLanguages()).language).toBe('en')
  })

  it.each([
    [{}, 'Name one of the languages of the site: en, es, fr, pt, de, ko, ar.'],
    [{ language: 'es', location: 'a\0b' }, 'The location holds a character that cannot be stored. Type it again.'],
    [{ language: 'es', roles: { 999: 'x' } }, 'Choose the roles from the list.'],
    [{ language: 'es', roles: { 1: 'x'.repeat(81) } }, 'The role name may have at most 80 characters.'],
    [{ language: 'es', roles: { first: 'x' } }, 'Send the roles as a JSON object: their names by their ids.'],
    [undefined, 'Send a JSON object.'],
  ])('refuses %o', async (input, message) => {
    await expect(saveEventTranslation(input, call)).rejects.toMatchObject({ code: 'invalid', fields: [{ message }] })
    expect(await translated()).toEqual([])
  })
})
