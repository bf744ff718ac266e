import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type * as z from 'zod/mini'
import { newAdministrator, signInRequest } from '#db/values/access.ts'
import { auditTexts } from '#db/values/audit.ts'
import { refusals } from '#db/values/refusals.ts'
import { ageGroups, rsvpRequest, type StoredRsvp, suspicions } from '#db/values/rsvp.ts'
import { fieldsIn, statusText, suspicionText, tooManyToPrint, typedFields } from '#db/values/rsvp-fields.ts'
import { scheduleChange, turnoutChange } from '#db/values/schedule.ts'
import { newPassword } from '#db/values/schemas.ts'
import { settingsChange } from '#db/values/settings.ts'
import { featureTexts, publicNamesTexts, seededRoles } from '#db/values/titles.ts'
import { notMapLink } from '#db/values/url.ts'
import { newVolunteerRole } from '#db/values/volunteer-role.ts'
import { settingsGroups } from '#site/islands/admin/SettingsTab.tsx'
import { whyNoPasskeys } from '#site/server/access/sign-in.ts'

type Entry = string | Record<string, string>

const root = join(import.meta.dirname, '../..')
const LITERAL = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g
/** `t('…')`, `plural(count, '…', '…')`, of which the last form is the key, and a sentence with elements in it. */
const WRITTEN = /\bt\(\s*(['"`].*)|\bplural\(\s*[^,'"]+,\s*(?:'[^']*'|"[^"]*"),\s*(['"`].*)|<Sentence\s+text=(".*)/g
/** A text that is read when its module loads, before the language is known. */
const TOO_EARLY = /^(?:export )?const \w+(?:: [^=]+)? = (?!.*=>).*\b(?:t|plural)\(/m
const ADMINISTRATION =
  /^site\/((islands|stores)\/admin|texts\/administration)|^site\/islands\/(AdminTabs|event-card\/parts)/
/** Islands' files that only the server renders, into slots. */
const STATIC = /\/StaticFields\.tsx$/
const placeholders = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted()
const literalsIn = (code: string) =>
  Array.from(code.matchAll(LITERAL), (found) => found.slice(1).join('').replace(/\\(.)/g, '$1'))

/** The messages of a schema for values that a form can send. */
function messagesOf(schema: z.ZodMiniType, ...inputs: unknown[]): string[] {
  return inputs.flatMap((input) => schema.safeParse(input).error?.issues.map(({ message }) => message) ?? [])
}

const [long, broken] = ['a'.repeat(2001), 'a\0']
const labels = (texts: Record<string, { label: string; description: string }>) =>
  Object.values(texts).flatMap(({ label, description }) => [label, description])
const english: Record<string, string> = Object.assign({}, ...Object.values(refusals))
/** Texts that are shown without `t('…')`, by the part of the catalogue that must have them. */
const shown: Record<'visitors' | 'administration' | 'server', string[]> = {
  visitors: messagesOf(
    rsvpRequest,
    { name: '', email: '', calendarType: 'fax', serviceDate: '2026-02-30', volunteerRoles: [0] },
    {
      name: 'a',
      email: 'a@b.example c@d.example',
      attending: true,
      familyMembers: Array(21),
      volunteerRoles: Array(21),
    },
    { name: long, email: 'a', phone: long, message: long, prayer: long, familyMembers: [{ name: 'Joel', age: 'old' }] },
    { name: broken, email: 'a', phone: broken, message: broken, prayer: broken },
  ),
  administration: [
    ...fieldsIn('administration').map(({ title }) => title),
    ...ageGroups,
    ...suspicions.map((suspicion) => suspicionText({ suspicion } as StoredRsvp)),
    ...[true, false].map((attending) => statusText({ attending })),
    ...Object.values(auditTexts),
    ...labels(featureTexts),
    ...labels(publicNamesTexts),
    ...settingsGroups.flatMap(({ name, panels }) => [name, ...panels.map((panel) => panel.name)]),
    ...[undefined, 'http://192.0.2.1', 'http://rsvp.example'].map((url) => whyNoPasskeys(url) ?? ''),
    ...messagesOf(scheduleChange, { startTime: '', durationMinutes: 0, timeZone: 'Nowhere' }),
    notMapLink,
    tooManyToPrint,
  ],
  server: [
    ...Object.keys(english),
    ...seededRoles,
    ...Object.values(typedFields(true)).flat(),
    ...messagesOf(signInRequest, { password: '', email: '' }),
    ...messagesOf(newAdministrator, { name: 'Ruth', email: 'a', role: 'reader' }),
    ...messagesOf(newPassword, 'short'),
    ...messagesOf(settingsChange, { publicUrl: 'rsvp' }),
    ...messagesOf(turnoutChange, { date: '2026-11-21', turnout: -1 }),
    ...messagesOf(newVolunteerRole, { name: '', needed: 0 }, { name: long }, { name: broken }),
  ],
}

const files = globSync('{db,site}/**/*.{ts,tsx,astro}', { cwd: root })
  .filter((file) => !/\.(test|spec)\.|^site\/(e2e|scenarios)\/|^db\/values\/refusals\.ts/.test(file))
  .map((file) => ({ file, code: readFileSync(join(root, file), 'utf8') }))
const source = files.map(({ code }) => code.replace(/\\(.)/g, '$1')).join('\n')

/** Whether the source contains a text, perhaps with expressions for its placeholders. */
function isWritten(text: string): boolean {
  if (!text.includes('{')) return source.includes(text)
  const pattern = text.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '\\$?\\{[^}]*\\}')
  return new RegExp(pattern).test(source)
}

/** The texts that a file itself contains. */
function textsIn(code: string): string[] {
  return Array.from(code.matchAll(WRITTEN), ([, ...quoted]) => literalsIn(quoted.join(''))[0] ?? '')
}

function catalogueOf(language: string): Record<string, Record<string, Entry>> {
  return JSON.parse(readFileSync(join(root, `site/texts/${language}.json`), 'utf8'))
}

const languages = ['es', 'fr', 'pt', 'de', 'ko', 'ar']

describe.each(languages)('the catalogue of %s', (language) => {
  const catalogue = catalogueOf(language)
  // Spanish, French and Portuguese have the form 'many' for millions.
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
  const forms = pluralCategories.filter((form) => form !== 'many' || language === 'ar')
  const entries = Object.values(catalogue).flatMap((part) => Object.entries(part))

  it('translates every text, with its placeholders and each plural form', () => {
    const wrong = entries.filter(([text, entry]) => {
      if (typeof entry === 'string')
        return entry.trim() === '' || `${placeholders(entry)}` !== `${placeholders(english[text] ?? text)}`
      const other = placeholders(text).filter((name) => name !== '{count}')
      const lacks = (form: string) => placeholders(entry[form] ?? '').filter((name) => name !== '{count}')
      return forms.some((form) => !entry[form]?.trim() || `${lacks(form)}` !== `${other}`)
    })
    expect(wrong.map(([text]) => text)).toEqual([])
  })

  it('has every text in the part that is loaded where the text is shown', () => {
    const { visitors = {}, administration = {}, server = {} } = catalogue
    const isMissing = (text: string, ...parts: object[]) => !parts.some((part) => Object.hasOwn(part, text))
    const readBy = (file: string) => {
      const isForBrowsers = /^site\/(islands|stores|lib|ui|texts)\/.*\.tsx?$/.test(file) && !STATIC.test(file)
      if (!isForBrowsers) return [visitors, administration, server]
      return ADMINISTRATION.test(file) ? [visitors, administration] : [visitors]
    }
    const missing = [
      ...files.flatMap(({ file, code }) => textsIn(code).filter((text) => isMissing(text, ...readBy(file)))),
      ...shown.visitors.filter((text) => isMissing(text, visitors)),
      ...shown.administration.filter((text) => isMissing(text, visitors, administration)),
      ...shown.server.filter((text) => isMissing(text, visitors, administration, server)),
    ]
    expect(missing).toEqual([])
  })
})

describe('a text', () => {
  it('is in no catalogue if it is used nowhere', () => {
    const texts = languages.flatMap((language) => Object.values(catalogueOf(language)).flatMap(Object.keys))
    const known = new Set(Object.values(shown).flat()).difference(new Set(Object.keys(english)))
    expect([...new Set(texts)].filter((text) => !known.has(text) && !isWritten(text))).toEqual([])
  })

  it('is not read before the language is known', () => {
    const early = files.filter(({ file, code }) => /tsx?$/.test(file) && TOO_EARLY.test(code))
    expect(early.map(({ file }) => file)).toEqual([])
  })
})
