import type { countActivity } from '#db/health/operations.ts'
import type { outcomes } from '#db/rsvp/submit/outcomes.ts'
import type { Tally } from '#db/values/tallies.ts'
import { DURATION_BOUNDS, type Durations } from '#db/values/tallies.ts'
import type { Readings } from './readings.ts'
import { type RequestCounts, repliesOf } from './request-counts.ts'

/** What all metrics of one reply are made of. */
export type Snapshot = Readings & {
  version: string
  isGuarded: boolean
  /** Which kind of database it is. */
  database: 'file' | 'server'
  now: number
  requests: RequestCounts
  activity: ReturnType<ReturnType<typeof countActivity>>
  outcomes: typeof outcomes
}

/** One line: of a histogram with what follows its name. */
type Sample = { value: number; labels?: Record<string, string>; suffix?: '_bucket' | '_sum' | '_count' }

export type Definition = {
  name: `rsvp_${string}`
  type: 'gauge' | 'counter' | 'histogram'
  help: string
  /** None where it cannot be read. Labels have few values, and none that a client chooses. */
  read(snapshot: Snapshot): Sample[]
}

/** Every metric of our own. Those of the process itself are Prometheus' usual ones; see process-metrics.ts. */
export const definitions: Definition[] = [
  {
    name: 'rsvp_build_info',
    type: 'gauge',
    help: 'Always 1; the version of the program is its label.',
    read: ({ version }) => [{ value: 1, labels: { version } }],
  },
  {
    name: 'rsvp_guarded',
    type: 'gauge',
    help: '1 once a password is set, 0 in open mode.',
    read: ({ isGuarded }) => flag(isGuarded),
  },
  {
    name: 'rsvp_http_requests_total',
    type: 'counter',
    help: 'Replies by route (its pattern; static: a file, refused: turned away before any route), method and class of status.',
    read: ({ requests }) =>
      Array.from(requests.byRoute).flatMap(([route, counts]) =>
        repliesOf(counts).map(({ method, status, count }) => ({ value: count, labels: { route, method, status } })),
      ),
  },
  {
    name: 'rsvp_http_request_duration_seconds',
    type: 'histogram',
    help: 'How long replies took until they were sent, by route.',
    read: ({ requests }) =>
      Array.from(requests.byRoute).flatMap(([route, { durations }]) => histogram(durations, { route })),
  },
  {
    name: 'rsvp_http_open_requests',
    type: 'gauge',
    help: 'Requests that have come and have no whole reply yet.',
    read: ({ requests }) => [{ value: requests.open }],
  },
  {
    name: 'rsvp_rsvps_sent_total',
    type: 'counter',
    help: 'RSVPs that visitors sent, by result: stored (also once more, where the same was sent again), or why it was refused, e.g. invalid, too-many, full.',
    read: (snapshot) => tally(snapshot.outcomes, 'result', ['stored', 'invalid', 'too-many']),
  },
  {
    name: 'rsvp_responses',
    type: 'gauge',
    help: 'Responses that are stored, without deleted ones, by whether they attend.',
    read: ({ responses }) => byAttendance(responses),
  },
  {
    name: 'rsvp_week_responses',
    type: 'gauge',
    help: "Of these, those for this week's service.",
    read: ({ week }) => byAttendance(week?.responses),
  },
  {
    name: 'rsvp_week_expected_people',
    type: 'gauge',
    help: "People expected at this week's service.",
    read: ({ week }) => gauge(week?.people.expected),
  },
  {
    name: 'rsvp_database_info',
    type: 'gauge',
    help: 'Always 1; the kind of the database is its label: file or server.',
    read: ({ database: kind }) => [{ value: 1, labels: { kind } }],
  },
  {
    name: 'rsvp_database_readable',
    type: 'gauge',
    help: '1 while the database can be read, 0 while it fails or takes longer than a second. Then what is read from it is left out.',
    read: ({ isReadable }) => flag(isReadable),
  },
  {
    name: 'rsvp_database_damaged',
    type: 'gauge',
    help: '1 once damage was found in the database: from then on nothing is stored.',
    read: ({ activity }) => flag(activity.isDamaged),
  },
  {
    name: 'rsvp_database_size_bytes',
    type: 'gauge',
    help: 'Size of the database where it is a file.',
    read: ({ databaseSize }) => gauge(databaseSize),
  },
  {
    name: 'rsvp_database_waiting',
    type: 'gauge',
    help: 'Reads and writes that wait for their turn in the database.',
    read: ({ activity }) => [{ value: activity.waiting }],
  },
  {
    name: 'rsvp_database_write_duration_seconds',
    type: 'histogram',
    help: 'How long writes took until they were on the disk, with their wait for their turn and for locks.',
    read: ({ activity }) => histogram(activity.writes, {}),
  },
  {
    name: 'rsvp_database_failed_writes_total',
    type: 'counter',
    help: 'Writes that failed, by reason, e.g. full, busy, unavailable, damaged.',
    read: ({ activity }) => tally(activity.failedWrites, 'reason', ['full', 'busy', 'unavailable', 'damaged']),
  },
  {
    name: 'rsvp_database_retries_total',
    type: 'counter',
    help: 'Attempts that met a lock of another process, or got no reply from a libSQL server, and were made once more.',
    read: ({ activity }) => [{ value: activity.retries }],
  },
  {
    name: 'rsvp_backup_age_seconds',
    type: 'gauge',
    help: 'Age of the last good backup. Left out while there is none.',
    read: ({ backupAt, now }) => age(backupAt, now),
  },
  {
    name: 'rsvp_backup_copy_age_seconds',
    type: 'gauge',
    help: 'Age of the last copy of a backup that was sent to the other place. Left out while there is none.',
    read: ({ copyAt, now }) => age(copyAt, now),
  },
  {
    name: 'rsvp_restore_drill_age_seconds',
    type: 'gauge',
    help: 'How long ago the newest backup was last proved by restoring it. Left out while it never was.',
    read: ({ drillAt, now }) => age(drillAt, now),
  },
  {
    name: 'rsvp_disk_free_bytes',
    type: 'gauge',
    help: 'Free space on a disk, by what it holds: database or backups.',
    read: ({ disks }) => disks.map(({ holds, free }) => ({ value: free, labels: { holds } })),
  },
  {
    name: 'rsvp_disk_size_bytes',
    type: 'gauge',
    help: 'Size of that disk.',
    read: ({ disks }) => disks.map(({ holds, size }) => ({ value: size, labels: { holds } })),
  },
  {
    name: 'rsvp_clock_doubtful',
    type: 'gauge',
    help: '1 while the clock is not trusted: nothing is purged by date then.',
    read: ({ isClockDoubtful }) => (isClockDoubtful === undefined ? [] : flag(isClockDoubtful)),
  },
]

function gauge(value: number | undefined): Sample[] {
  return value === undefined ? [] : [{ value }]
}

function flag(isSet: boolean): Sample[] {
  return [{ value: isSet ? 1 : 0 }]
}

/** @param expected is 0 before there is one: Prometheus sees no increase in a number that it has never seen lower. */
function tally(counts: Tally, label: string, expected: string[]): Sample[] {
  const names = new Set([...expected, ...counts.keys()])
  return Array.from(names, (name) => ({ value: counts.get(name) ?? 0, labels: { [label]: name } }))
}

function byAttendance(counts: { attending: number; notAttending: number } | undefined): Sample[] {
  if (counts === undefined) return []
  return [
    { value: counts.attending, labels: { attending: 'yes' } },
    { value: counts.notAttending, labels: { attending: 'no' } },
  ]
}

/** Each bucket counts all that are not above its bound. */
function histogram({ counts, sum }: Durations, labels: Record<string, string>): Sample[] {
  let total = 0
  const buckets = counts.map((count, place) => {
    total += count
    const bound = DURATION_BOUNDS[place]
    return { value: total, labels: { ...labels, le: bound?.toString() ?? '+Inf' }, suffix: '_bucket' as const }
  })
  return [...buckets, { value: sum, labels, suffix: '_sum' }, { value: total, labels, suffix: '_count' }]
}

/** In seconds, of a moment in ms since 1970. */
function age(at: number | undefined, now: number): Sample[] {
  return gauge(at === undefined ? undefined : Math.max(0, now - at) / 1000)
}
