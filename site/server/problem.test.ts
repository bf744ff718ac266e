import { describe, expect, it } from 'vitest'
import { UserError } from '#db/values/errors.ts'
import type { Language } from '#db/values/languages.ts'
import { inLanguage } from './language.ts'
import { problemOf } from './problem.ts'

const days = { day: '2026-11-24', next: '2026-11-28' }

describe('a refusal', () => {
  it.each<[Language, UserError, string]>([
    [
      'en',
      new UserError('no-service', days),
      'There is no service on Tuesday, November 24. The next service is on Saturday, November 28.',
    ],
    [
      'de',
      new UserError('no-service', days),
      'Am Dienstag, 24. November ist kein Gottesdienst. Der nächste Gottesdienst ist am Samstag, 28. November.',
    ],
    [
      'de',
      new UserError('too-many-passwords', { wait: 300 }),
      'Zu viele falsche Passwörter. Warten Sie 5 Minuten, und versuchen Sie es dann noch einmal.',
    ],
    ['es', new UserError('invalid', 'Name is required'), 'El nombre es obligatorio'],
    ['es', new UserError('invalid', 'Never said before (1).'), 'Never said before (1).'],
  ])('is worded in the language of the reply: %s %s', async (language, error, detail) => {
    const { body } = await inLanguage(language, () => problemOf(error.at('name')))
    expect(body).toMatchObject({ detail, errors: [{ path: 'name', message: detail }] })
  })

  it('names roles as the page does', async () => {
    const error = new UserError('roles-filled', { roles: ['Audio and Video', 'Parking'], when: 'this week' })
    const roles = { language: 'en', names: { Parking: 'Parkplatz' } } as const
    const { body } = await inLanguage('de', () => problemOf(error), roles)
    expect(body.detail).toMatch(/^Für diese Woche besetzt: Ton und Video und Parkplatz\. /)
  })
})
