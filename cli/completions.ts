import completions from '@bomb.sh/tab/commander'
import type { Command } from 'commander'
import { listSites } from '#db/config/places.ts'
import { featureNames } from '#db/feature/schema.ts'
import { featureTexts } from '#db/feature/texts.ts'
import { weekNames } from '#db/schedule/schema.ts'
import { weekdayNames } from '#db/schedule/texts.ts'
import { publicNames } from '#db/settings/schema.ts'
import { publicNamesTexts } from '#db/settings/texts.ts'
import { addressFromHere } from './database/given-database.ts'
import type { Io } from './io.ts'
import { loggedLines } from './output/logged-lines.ts'
import { print } from './output/output.ts'
import { displayed } from './output/plain-text.ts'
import { topics } from './program/topics.ts'
import { dayCandidates } from './schedule/day-candidates.ts'

type Candidate = [word: string, meaning: string]
type Offer = { command: string; argument: string; variadic: boolean; candidates: Candidate[] }

/** Prints completions for a shell, e.g. for `rsvp complete -- list --st`, where the last word is being typed. */
export async function complete(program: Command, words: string[], io: Io): Promise<void> {
  // First: the completions add a command of their own, which is only for shells.
  const offer = await offerAfter(program, argumentsBefore(words), environmentOf(words, io))
  const root = completions(program)
  if (offer !== undefined) {
    const { command, argument, variadic, candidates } = offer
    root.commands.get(command)?.argument(argument, adding(candidates), variadic)
  }
  for (const command of root.commands.values()) {
    for (const [option, candidates] of Object.entries(optionWords)) {
      const known = command.options.get(option)
      if (known !== undefined) command.option(option, known.description, adding(candidates()))
    }
  }
  await print(
    loggedLines(() => root.parse(words)),
    io,
  )
}

/** What options without fixed choices can be given. */
const optionWords: Record<string, () => Candidate[]> = {
  week: () => words(...weekNames),
  weekday: () => words(...weekdayNames.map((name) => name.toLowerCase())),
  'time-zone': () => words(...Intl.supportedValuesOf('timeZone')),
  site: () => words(...listSites()),
  closes: () => words('none', '1h', '2h', '1d'),
}

function adding(candidates: Candidate[]) {
  return (say: (word: string, meaning: string) => void) => {
    for (const candidate of candidates) say(...candidate)
  }
}

/** Completions that do not follow from the options and choices of the commands. */
async function offerAfter(
  program: Command,
  before: string[],
  environment: NodeJS.ProcessEnv,
): Promise<Offer | undefined> {
  const [command = '', ...typed] = before
  switch (command) {
    case 'features':
      return { command, argument: 'changes', variadic: true, candidates: featureCandidates(typed) }
    case 'settings':
      return { command, argument: 'changes', variadic: true, candidates: settingCandidates(typed) }
    case 'help':
      return { command, argument: 'topic', variadic: true, candidates: helpCandidates(program, typed) }
    case 'turnout':
      return typed.length > 0
        ? undefined
        : { command, argument: 'service', variadic: false, candidates: words('this', 'last') }
    case 'schedule': {
      const [verb = '', ...days] = typed
      if (verb !== 'skip' && verb !== 'unskip') return undefined
      const candidates = await dayCandidates(verb, days, environment)
      return { command: `schedule ${verb}`, argument: 'dates', variadic: true, candidates }
    }
    case 'roles': {
      const [verb = '', ...named] = typed
      if (!/^(change|rename|retire|offer)$/.test(verb) || named.length > 0) return undefined
      return {
        command: `roles ${verb}`,
        argument: 'role',
        variadic: false,
        candidates: await roleCandidates(verb, environment),
      }
    }
    default:
      return undefined
  }
}

function featureCandidates(typed: string[]): Candidate[] {
  if (typed.length % 2 === 1) return [...words('on'), ...words('off')]
  return featureNames.filter((name) => !typed.includes(name)).map((name) => [name, featureTexts[name].label])
}

function settingCandidates(typed: string[]): Candidate[] {
  if (typed.length % 2 === 0) {
    const names: Candidate[] = [
      ['names', 'what visitors see of who has responded'],
      ['retention', 'after how many days a response is made anonymous'],
    ]
    return names.filter(([name]) => !typed.includes(name))
  }
  if (typed.at(-1) === 'names') return publicNames.map((value) => [value, publicNamesTexts[value].label])
  return typed.at(-1) === 'retention' ? words('off', '30d', '90d', '365d') : []
}

function helpCandidates(program: Command, typed: string[]): Candidate[] {
  let command: Command | undefined = program
  for (const word of typed) command = command?.commands.find((known) => known.name() === word)
  const commands = command?.commands.map((known): Candidate => [known.name(), known.summary()]) ?? []
  return typed.length === 0 ? [...commands, ...words(...topics.keys())] : commands
}

/** Offers a role by its name where that needs no quotes in a shell, otherwise by its number. */
async function roleCandidates(verb: string, environment: NodeJS.ProcessEnv): Promise<Candidate[]> {
  const { readRolesQuietly } = await import('#db/quiet.ts')
  const roles = await readRolesQuietly(environment)
  const meant = roles.filter(({ retired }) => verb === 'rename' || verb === 'change' || retired === (verb === 'offer'))
  return meant.map(({ id, name }) => (isPlain(name) ? [name, `role ${id}`] : [String(id), displayed(name)]))
}

/** One word without characters that are special to a shell, and not a number, which could be another role's. */
function isPlain(name: string): boolean {
  return /^\p{L}[\p{L}\p{N}_-]*$/u.test(name)
}

function words(...of: string[]): Candidate[] {
  return of.map((word) => [word, ''])
}

/** The commands and arguments before the word that is being typed, without options. */
function argumentsBefore(line: string[]): string[] {
  return line.slice(0, -1).filter((word, at) => !word.startsWith('-') && !/^--(db|site)$/.test(line[at - 1] ?? ''))
}

/** The environment, with what --db and --site have been given so far. */
function environmentOf(line: string[], io: Io): NodeJS.ProcessEnv {
  const db = givenTo('--db', line)
  const site = givenTo('--site', line)
  return {
    ...io.env,
    ...(db !== undefined && { DATABASE_URL: addressFromHere(db, io) }),
    ...(site !== undefined && { RSVP_SITE: site }),
  }
}

function givenTo(option: string, line: string[]): string | undefined {
  const at = line.indexOf(option)
  return at < 0 ? line.find((word) => word.startsWith(`${option}=`))?.slice(option.length + 1) : line[at + 1]
}
