import { Option } from '@commander-js/extra-typings'

// The options that select responses, the same for every command.

export const status = () =>
  new Option('--status <status>', 'only those with this status').choices(['attending', 'not-attending'] as const)
export const since = () => new Option('--since <day>', 'only those since this day, e.g. 2026-11-21')
export const search = () => new Option('--search <text>', 'only those that contain all of these words')
export const week = () =>
  new Option(
    '--week <week>',
    'only those for the service of this, next or last week, or of a day, e.g. 2026-11-21; or all',
  )
/** Said by commands that are about one week by themselves. */
export const DEFAULT_WEEK =
  'Without --week it is about the last service until `rsvp turnout` says how many came or the next one is nearer, then ' +
  'about the next one; ' +
  '--week all is about every one, as it is until the schedule is set.'
export const deleted = () => new Option('--deleted', 'only those that were deleted and can be restored')
