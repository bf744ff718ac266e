/** Plain and slow on purpose, without any of the code that it checks: what standing RSVPs come to, day by day. */
export type Household = {
  id: string
  linkSecret: string | undefined
  name: string
  email: string
  members: number
  roles: number[]
  since: string
  hasEnded: boolean
}

/** An RSVP. `sent`: by the form, for this week alone. `changed`: by the link, for this week alone. */
export type Row = Pick<Household, 'members' | 'roles'> & {
  day: string
  household: Household
  coming: boolean
  state: 'live' | 'superseded' | 'deleted'
  sent: { id: number; linkSecret: string | undefined } | undefined
  changed: boolean
}

const DAY = 24 * 3600 * 1000
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

export class Model {
  readonly households: Household[] = []
  skipped: string[] = []
  private readonly rows: Row[] = []
  private readonly starts = new Map<string, number>()
  private readonly clock: Intl.DateTimeFormat
  /** The next day to look at. */
  private next: string

  constructor(
    timeZone: string,
    public weekday: number,
    readonly time: string,
    now: number,
    readonly needs: Record<number, number>,
  ) {
    const style = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const
    this.clock = new Intl.DateTimeFormat('sv-SE', { ...style, timeZone, hourCycle: 'h23' })
    this.next = dayOf(now)
  }

  /** Tries every quarter of an hour until a clock on the wall shows it. */
  startOf(day: string): number {
    let at = this.starts.get(day) ?? Date.parse(`${day}T${this.time}Z`) - DAY
    while (this.clock.format(at) !== `${day} ${this.time}`) at += 15 * 60_000
    this.starts.set(day, at)
    return at
  }

  endOf(day: string): number {
    return this.startOf(day) + 2 * 3600 * 1000
  }

  /** The days of the next services that are not over: those offered. */
  services(now: number, skipped = this.skipped): string[] {
    const days: string[] = []
    for (let at = now - 3 * DAY; days.length < 8; at += DAY)
      if (this.isService(dayOf(at), skipped) && this.endOf(dayOf(at)) > now) days.push(dayOf(at))
    return days
  }

  on(day: string): Row[] {
    return this.rows.filter((row) => row.day === day)
  }

  /** What a household has said for a day, in any state; by its standing RSVP, unless `sent`. */
  find(day: string, household: Household, sent = false): Row | undefined {
    return this.on(day).find((row) => row.household === household && (row.sent !== undefined) === sent)
  }

  /** Adds what a household says for a day. */
  say(day: string, household: Household, changes: Partial<Row> = {}): void {
    const { members, roles } = household
    const said = { day, household, members, roles, coming: true, sent: undefined, changed: false }
    this.rows.push({ ...said, state: 'live', ...changes })
  }

  /** A household says for the day of its first service what it says for all. */
  begin(household: Household, now: number): void {
    this.households.push(household)
    this.say(household.since, household)
    this.write(household.since, now, [household])
  }

  room(day: string, role: number): number {
    const filling = this.on(day).filter((row) => row.state === 'live' && row.coming && row.roles.includes(role))
    return (this.needs[role] ?? Number.POSITIVE_INFINITY) - filling.length
  }

  /** What a running site has written at this moment; returns how many RSVPs are new. */
  run(now: number): number {
    const before = this.rows.length
    this.next = this.write(dayOf(Date.parse(this.next) - DAY), now, this.households)
    return this.rows.length - before
  }

  /** Adds what is missing after a day, also for skipped services; returns the first day that is not looked at. */
  private write(after: string, now: number, households: Household[]): string {
    const last = this.services(now).at(-1) as string
    let day = after
    while (day < last) {
      day = dayOf(Date.parse(day) + DAY)
      if (!this.isService(day, [])) continue
      for (const household of households) {
        if (household.hasEnded || household.since > day) continue
        if (this.find(day, household) !== undefined) continue
        const roles = household.roles.filter((role) => this.room(day, role) > 0)
        const isSent = this.find(day, household, true)?.state === 'live'
        this.say(day, household, { roles, state: isSent ? 'superseded' : 'live' })
      }
    }
    return dayOf(Date.parse(day) + DAY)
  }

  /** For every week that was not changed alone. */
  change(household: Household, members: number, added: number[], now: number): void {
    const [current = ''] = this.services(now)
    for (const row of this.rows) {
      if (row.household !== household || row.sent || row.changed || row.state === 'deleted' || row.day < current)
        continue
      const places = added.filter((role) => row.roles.includes(role) || this.room(row.day, role) > 0)
      row.roles = Array.from(new Set([...row.roles, ...places])).sort()
      row.members = members
    }
    household.members = members
    household.roles = Array.from(new Set([...household.roles, ...added])).sort()
  }

  end(household: Household, now: number): void {
    household.hasEnded = true
    for (const row of this.rows)
      if (row.household === household && !row.sent && this.startOf(row.day) > now) row.state = 'deleted'
  }

  move(days: number, now: number): void {
    const [first = ''] = this.services(now, [])
    const moved = (day: string) => (day < first ? day : dayOf(Date.parse(day) + days * DAY))
    for (const row of this.rows) row.day = moved(row.day)
    for (const household of this.households) household.since = moved(household.since)
    this.skipped = this.skipped.map(moved)
    this.weekday = (this.weekday + days + 7) % 7
    this.lookAgain(now)
  }

  /** After a change of the schedule. */
  lookAgain(now: number): void {
    const [current = ''] = this.services(now, [])
    if (current < this.next) this.next = current
    this.run(now)
  }

  private isService(day: string, skipped = this.skipped): boolean {
    return new Date(day).getUTCDay() === this.weekday && !skipped.includes(day)
  }
}
