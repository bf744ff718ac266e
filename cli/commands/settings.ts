import { isGuarded } from '#db/access/setup.ts'
import { changeChurch, getChurch, removePicture, storePicture } from '#db/church/operations.ts'
import { preparePicture } from '#db/church/prepare-picture.ts'
import { churchChange } from '#db/church/schema.ts'
import { doubtSentence, findRemovalDoubt } from '#db/clock/clock.ts'
import { changeEventLanguage, getEventLanguages } from '#db/event/translations.ts'
import { type Call, parseInput } from '#db/operation.ts'
import { countOldRsvps } from '#db/rsvp/purge.ts'
import { changeSettings, getSettings } from '#db/settings/operations.ts'
import { publicNames, type Settings } from '#db/settings/schema.ts'
import { publicNamesTexts } from '#db/settings/texts.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes, usageError } from '../exit-code.ts'
import { nameMeant, readGivenFile } from '../given.ts'
import { counted, printJson, printRows, say } from '../output/output.ts'
import { confirm } from '../questions.ts'

type All = Awaited<ReturnType<typeof readAll>>
type Given = Partial<Record<keyof All, string>>

/** Shows the settings, or changes those that are given. */
export async function settings(
  words: string[],
  { yes, json }: { yes?: true; json?: true },
  context: Context,
): Promise<void> {
  const { call, quiet, io } = context
  const given = givenIn(words, Object.keys(await readAll(call)) as (keyof All)[])
  const isChange = words.length > 0
  if (isChange) await change(given, yes, context)
  if (isChange && !quiet) say('The settings have been saved.', io)
  const doubt =
    given.retentionDays === undefined || given.retentionDays === 'off' ? undefined : await findRemovalDoubt(call)
  if (doubt !== undefined) say(doubtSentence(doubt), io)
  if (json) return printJson(await readAll(call), io)
  if (!isChange || !quiet) await printRows(await rows(call), io)
}

/** Parses e.g. `publicNames=counts "churchName=Grace Church"`. */
function givenIn(words: string[], names: (keyof All)[]): Given {
  const given: Given = {}
  for (const word of words) {
    const [, written = '', value] = /^([^=]*)=(.*)$/s.exec(word) ?? []
    if (value === undefined) {
      const example = 'a setting, = and its value, e.g. `rsvp settings publicNames=counts`'
      throw usageError(`${JSON.stringify(word)} is not a change. Give ${example}.`)
    }
    const name = nameMeant(written, names)
    if (name === undefined) {
      const known = names.join(', ')
      throw usageError(`There is no setting ${JSON.stringify(written)}: name one of ${known}.`)
    }
    given[name] = value
  }
  return given
}

/** Validates everything before changing anything. */
async function change(given: Given, yes: true | undefined, context: Context): Promise<void> {
  const { call, io } = context
  const { churchName, churchAccent, churchPicture, churchPictureAlt, churchPictureFocus, eventLanguage } = given
  const stored: Partial<Settings> = {
    ...(given.publicNames !== undefined && { publicNames: publicNamesIn(given.publicNames) }),
    ...(given.retentionDays !== undefined && { retentionDays: daysIn(given.retentionDays) }),
    ...(given.publicUrl !== undefined && { publicUrl: await addressIn(given.publicUrl, context) }),
    ...(given.prayers !== undefined && { prayers: isOn(given.prayers) }),
    ...(given.prayerDays !== undefined && { prayerDays: daysIn(given.prayerDays, 'prayerDays=30') }),
  }
  const church = {
    ...(churchName !== undefined && { name: churchName }),
    ...(churchAccent !== undefined && { accent: /^(none)?$/.test(churchAccent) ? null : churchAccent }),
    ...(churchPictureAlt !== undefined && { pictureAlt: churchPictureAlt }),
    ...(churchPictureFocus !== undefined && { pictureFocus: churchPictureFocus || null }),
  }
  const isChurch = Object.keys(church).length > 0
  if (isChurch) parseInput(churchChange, church)
  const picture = churchPicture ? await preparePicture(await readGivenFile(churchPicture, io)) : undefined
  const days = stored.retentionDays ?? undefined
  const old = days === undefined || yes ? 0 : await countOldRsvps({ days }, call)
  if (old > 0) {
    const responses = counted(old, 'response is', 'responses are')
    // Anonymizing cannot be undone.
    const question = `${responses} older than ${days} days and will lose names, addresses and texts for good. Continue?`
    await confirm(question, context, old)
  }
  // First, because it erases the focus of the previous one.
  if (picture !== undefined) await storePicture(picture, call)
  if (isChurch) await changeChurch(church, call)
  if (eventLanguage !== undefined) await changeEventLanguage({ language: eventLanguage }, call)
  if (Object.keys(stored).length > 0) await changeSettings(stored, call)
  if (churchPicture === '') await removePicture(call)
}

function publicNamesIn(value: string): Settings['publicNames'] {
  const known = publicNames.find((one) => one === value.toLowerCase())
  if (known !== undefined) return known
  throw usageError(`Say one of ${publicNames.join(', ')}, e.g. publicNames=counts.`)
}

function isOn(value: string): boolean {
  if (/^(on|off)$/i.test(value)) return value.toLowerCase() === 'on'
  throw usageError('Say on or off, e.g. `rsvp settings prayers=on`.')
}

function daysIn(value: string, example = 'retentionDays=90'): number | null {
  if (value === 'off') return null
  const days = /^([1-9]\d{0,3})d?$/.exec(value)?.[1]
  if (days !== undefined) return Number(days)
  throw usageError(`Say after how many days, e.g. \`rsvp settings ${example}\`, or off.`)
}

async function addressIn(value: string, { call, readConfig }: Context): Promise<string | null> {
  if (readConfig().publicUrl !== undefined)
    throw new CommandError(exitCodes.configuration, 'PUBLIC_URL gives the address. Change it there.')
  if (/^(none)?$/.test(value)) return null
  // The next start of an open site would refuse it.
  if (await isGuarded(call)) return value
  throw usageError('Set a password with `rsvp password` before people can reach the site.')
}

async function readAll(call: Call) {
  const [stored, church, { language }] = await Promise.all([
    getSettings(call),
    getChurch(call),
    getEventLanguages(call),
  ])
  return {
    ...stored,
    churchName: church.name,
    churchAccent: church.accent,
    churchPicture: church.picture,
    churchPictureAlt: church.pictureAlt,
    churchPictureFocus: church.pictureFocus,
    eventLanguage: language,
  }
}

/** Name, value and meaning of each setting. */
async function rows(call: Call): Promise<string[][]> {
  const all = await readAll(call)
  const { label, description } = publicNamesTexts[all.publicNames]
  const largest = all.churchPicture?.sizes.at(-1)
  const picture = largest === undefined ? 'none' : `${largest.width} × ${largest.height} pixels`
  const kept =
    all.retentionDays === null
      ? ['off', 'Responses are kept until they are deleted.']
      : [String(all.retentionDays), 'Older responses are made anonymous; their counts stay.']
  return [
    ['publicNames', all.publicNames, `${label}: ${description}`],
    ['retentionDays', ...kept],
    ['publicUrl', all.publicUrl ?? 'none', 'The address people use; PUBLIC_URL overrides it.'],
    ['prayers', all.prayers ? 'on' : 'off', 'Whether the form asks for prayer requests.'],
    ['prayerDays', String(all.prayerDays ?? 'off'), 'After so many days each prayer request is erased.'],
    ['churchName', all.churchName ?? 'none', 'What the church is called.'],
    ['churchAccent', all.churchAccent ?? 'none', 'The color of buttons and links.'],
    ['churchPicture', picture, 'The picture of the church.'],
    ['churchPictureAlt', all.churchPictureAlt ?? 'none', 'What the picture shows.'],
    [
      'churchPictureFocus',
      all.churchPictureFocus ?? 'none',
      'What no screen cuts off: percent from the left and from the top; without one, the middle.',
    ],
    ['eventLanguage', all.eventLanguage, 'The language of the original texts of the event.'],
  ]
}
