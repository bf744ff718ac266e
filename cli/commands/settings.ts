import { doubtSentence, findDoubt } from '#db/clock/clock.ts'
import { countOldRsvps } from '#db/rsvp/purge.ts'
import { changeSettings, getSettings } from '#db/settings/operations.ts'
import { publicNames, type Settings, settingNames } from '#db/settings/schema.ts'
import { publicNamesTexts } from '#db/settings/texts.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit-code.ts'
import { printJson, printRows, say } from '../output/output.ts'
import { confirm } from '../questions/confirm.ts'

type Options = { yes?: true; json?: true }

type Words<Value> = {
  word: string
  read: (value: string) => Value
  /** The value, and what it means. */
  show: (value: Value) => [string, string]
}

/** What each setting is called here, and how it is read and shown. */
const settingWords: { [Name in keyof Settings]: Words<Settings[Name]> } = {
  publicNames: {
    word: 'names',
    read: namesOf,
    show: (names) => [names, `${publicNamesTexts[names].label}: ${publicNamesTexts[names].description}`],
  },
  retentionDays: {
    word: 'retention',
    read: daysOf,
    show: (days) =>
      days === null
        ? ['off', 'Responses are kept until they are deleted.']
        : [`${days}d`, 'Older responses are made anonymous; their counts stay.'],
  },
}

/** Shows which names visitors see and how long responses are kept, or changes it. */
export async function run(words: string[], options: Options, context: Context): Promise<void> {
  const change = changeOf(words)
  const days = change?.retentionDays ?? undefined
  if (days !== undefined && !options.yes) await confirmRetention(days, context)
  const settings = await (change === undefined ? getSettings(context.call) : changeSettings(change, context.call))
  if (change !== undefined && !context.quiet) say('The settings have been saved.', context.io)
  const doubt = days === undefined ? undefined : await findDoubt(context.call)
  if (doubt !== undefined) say(doubtSentence(doubt), context.io)
  if (options.json) return printJson(settings, context.io)
  if (change === undefined || !context.quiet) {
    const rows = settingNames.map((name) => rowOf(name, settings))
    await printRows(rows, context.io)
  }
}

/** Anonymizing cannot be undone. */
async function confirmRetention(days: number, context: Context): Promise<void> {
  const old = await countOldRsvps({ days }, context.call)
  if (old === 0) return
  const responses = old === 1 ? '1 response is' : `${old} responses are`
  await confirm(
    `${responses} older than ${days} days and will lose names, addresses and texts for good. Go on?`,
    context,
    old,
  )
}

function rowOf<Name extends keyof Settings>(name: Name, settings: Settings): string[] {
  const { word, show } = settingWords[name]
  return [word, ...show(settings[name])]
}

/** E.g. `names counts retention 90d`. Undefined when nothing is to be changed. */
function changeOf(words: string[]): Partial<Settings> | undefined {
  if (words.length === 0) return undefined
  const change: Partial<Settings> = {}
  for (let position = 0; position < words.length; position += 2) {
    Object.assign(change, settingOf(words[position], words[position + 1]))
  }
  return change
}

function settingOf(word = '', value = ''): Partial<Settings> {
  const name = settingNames.find((known) => settingWords[known].word === word)
  if (name !== undefined) return { [name]: settingWords[name].read(value) }
  const known = settingNames.map((known) => settingWords[known].word).join(' or ')
  throw new CommandError(exitCodes.usage, `There is no setting ${JSON.stringify(word)}: name ${known}.`)
}

function namesOf(value: string): Settings['publicNames'] {
  const names = publicNames.find((known) => known === value.toLowerCase())
  if (names !== undefined) return names
  throw new CommandError(exitCodes.usage, `Say one of ${publicNames.join(', ')} after names.`)
}

function daysOf(value: string): number | null {
  if (value === 'off') return null
  const days = /^([1-9]\d{0,3})d?$/.exec(value)?.[1]
  if (days !== undefined) return Number(days)
  throw new CommandError(exitCodes.usage, 'Say after how many days, e.g. `rsvp settings retention 90d`, or off.')
}
