import { beforeEach, expect, it } from 'vitest'
import { changeVolunteerRole, createVolunteerRole } from '#db/rsvp/roles.ts'
import { transaction } from '#db/storage/client.ts'
import { auditEntries } from '#db/tables/access.ts'
import { events, eventTranslations } from '#db/tables/invitation.ts'
import { EVENT_TEXT_MAXIMUM } from '#db/values/event-content.ts'
import { notMapLink } from '#db/values/url.ts'
import { auditLines, describeOnBothDatabases, emptyTables, testCall, testEvent } from '#testing/database-fixtures.ts'
import type { Call } from './call.ts'
import {
  changeEvent,
  changeEventLanguage,
  changeEventTexts,
  findEventTranslation,
  getEvent,
  getEventLanguages,
  getStoredEvent,
  saveEventTranslation,
} from './event.ts'

const call = testCall()
const optional = {
  mapLink: 'https://maps.example/?q=12+Chapel+Road',
  contact: 'ana@church.example',
  whatToExpect: 'We sing.\nThen there is coffee.',
  parking: 'Behind the hall.',
  children: 'A room for them, with a window.',
}

describeOnBothDatabases('the event', () => {
  beforeEach(() => emptyTables(events))

  it('is null while nothing is stored, and has defaults for missing texts', async () => {
    expect(await getEvent()).toBeNull()
    const { eventTitle: _, ...six } = testEvent()
    expect(await changeEvent(six, call)).toMatchObject({ event: testEvent() })
    await emptyTables(events)
    const event = testEvent({ location: 'By the lake' })
    expect(await changeEventTexts({ location: 'By the lake' }, call)).toMatchObject({ event })
    expect(await getEvent()).toEqual(event)
  })

  it('is replaced, but keeps its title if the payload has none', async () => {
    const event = testEvent({ title: 'Harvest Sabbath', eventTitle: 'Thanksgiving', location: 'By the lake' })
    expect(await changeEvent(event, call)).toMatchObject({ event })
    expect(await getEvent()).toEqual(event)
    const { eventTitle: _, ...six } = testEvent({ title: 'New' })
    expect(await changeEvent(six, call)).toMatchObject({ event: { title: 'New', eventTitle: 'Thanksgiving' } })
    await expect(changeEvent({ ...event, location: undefined }, call)).rejects.toMatchObject({ code: 'invalid' })
  })

  it.each(['title', 'subtitle', 'eventTitle', 'description', 'date', 'time', 'location'] as const)(
    'changes only its %s, and an empty one to its default',
    async (key) => {
      expect(await changeEventTexts({ [key]: ' Two ' }, call)).toMatchObject({ event: testEvent({ [key]: 'Two' }) })
      expect(await changeEventTexts({ [key]: ' ' }, call)).toMatchObject({ event: testEvent() })
    },
  )

  it('is not replaced if `onlyIfNone` is set', async () => {
    await changeEvent({ ...testEvent({ title: 'First' }), onlyIfNone: true }, call)
    const late = changeEvent({ ...testEvent({ title: 'Late' }), onlyIfNone: true }, call)
    await expect(late).rejects.toMatchObject({ code: 'already-exists' })
    expect(await getEvent()).toMatchObject({ title: 'First' })
  })

  it('has its optional texts after the others, and leaves them out while they are empty', async () => {
    await changeEvent(testEvent({ mapLink: '', contact: ' ' }), call)
    expect(Object.keys((await getEvent()) ?? {})).toEqual(Object.keys(testEvent()))
    await changeEvent(testEvent(optional), call)
    expect(Object.entries((await getEvent()) ?? {}).slice(7)).toEqual(Object.entries(optional))
    // A text that the payload leaves out stays; an empty one is removed.
    const event = testEvent({ ...optional, time: '9 AM' })
    expect(await changeEvent(testEvent({ time: '9 AM' }), call)).toMatchObject({ event })
    await changeEventTexts({ mapLink: '', whatToExpect: '', contact: ' Ana ', parking: '', children: ' ' }, call)
    expect(await getEvent()).toEqual(testEvent({ time: '9 AM', contact: 'Ana' }))
  })

  it.each([
    'JavaScript:alert(1)//https://maps.example',
    'java\nscript:alert(1)',
    '//maps.example',
    'https:maps.example',
    'https://maps example',
    'https://maps.example/a\r\n\thttps://evil.example',
  ])('refuses %o as a map link', async (mapLink) => {
    await expect(changeEventTexts({ mapLink }, call)).rejects.toMatchObject({
      code: 'invalid',
      fields: [{ path: 'mapLink', message: notMapLink }],
    })
    expect(await getEvent()).toBeNull()
  })

  it.each([
    [{}, 'Give at least one text to change.'],
    [{ unknown: 'x' }, 'Give at least one text to change.'],
    [{ title: 7 }, 'The page title must be text.'],
    [{ time: 'x'.repeat(EVENT_TEXT_MAXIMUM + 1) }, 'The time may have at most 2,000 characters.'],
    [{ title: 'Fine', location: 'a\0b' }, 'The location holds a character that cannot be stored. Type it again.'],
    [undefined, 'Send a JSON object.'],
  ])('refuses %o, and changes nothing', async (texts, message) => {
    await expect(changeEventTexts(texts, call)).rejects.toMatchObject({ code: 'invalid', fields: [{ message }] })
    expect(await getEvent()).toBeNull()
  })
})

describeOnBothDatabases('the revision of the event', () => {
  beforeEach(() => emptyTables(events))

  it('rises with every change, whoever makes it', async () => {
    const first = await changeEvent({ ...testEvent(), onlyIfNone: true }, call)
    const second = await changeEvent(testEvent({ time: '9 AM' }), call)
    const third = await changeEventTexts({ time: '11 AM' }, call)
    const fourth = await changeEventTexts({ time: '11 AM', onlyIfRevision: [third.revision] }, call)
    const revisions = [first, second, third, fourth].map(({ revision }) => revision)
    expect(revisions).toEqual([0, 1, 2, 3].map((more) => first.revision + more))
    expect(await getStoredEvent()).toEqual(fourth)
  })

  it('rises even if the clock goes back, and is not reused after an older database was restored', async () => {
    const { revision } = await changeEvent(testEvent(), call)
    const earlier = await changeEventTexts({ time: '9 AM' }, testCall({ now: new Date('2015-01-01') }))
    expect(earlier.revision).toBe(revision + 1)
    await transaction((tx) => tx.update(events).set({ revision }))
    const later = await changeEventTexts({ time: '11 AM' }, testCall({ now: new Date('2025-02-01') }))
    expect(later.revision).toBeGreaterThan(earlier.revision)
  })

  it('lets only one of twenty changes of the same revision through', async () => {
    const { revision } = await changeEvent(testEvent(), call)
    const before = (await auditLines()).length
    const ended = await Promise.allSettled(
      Array.from({ length: 20 }, (_, number) =>
        changeEventTexts({ time: `${number}`, onlyIfRevision: [revision] }, call),
      ),
    )
    const won = ended.flatMap((end) => (end.status === 'fulfilled' ? [end.value.event] : []))
    const lost = ended.flatMap((end) => (end.status === 'rejected' ? [end.reason.code] : []))
    expect(won).toEqual([await getEvent()])
    expect(lost).toEqual(Array(19).fill('changed-meanwhile'))
    expect(await auditLines()).toHaveLength(before + 1)
  })

  it('is not compared with `any`, but there must be an event', async () => {
    for (const onlyIfRevision of ['any', [1]])
      await expect(changeEventTexts({ time: '9 AM', onlyIfRevision }, call)).rejects.toMatchObject({
        code: 'changed-meanwhile',
      })
    expect(await getEvent()).toBeNull()
    await changeEvent(testEvent(), call)
    expect(await changeEventTexts({ time: '9 AM', onlyIfRevision: 'any' }, call)).toMatchObject({
      event: testEvent({ time: '9 AM' }),
    })
  })
})

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
    expect(await auditLines()).toEqual(['terminal: event translated es', 'terminal: event translation removed es'])
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
