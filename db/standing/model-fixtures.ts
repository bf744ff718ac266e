/** Plain and slow on purpose, without any of the code that it checks: what standing RSVPs come to, day by day. */
export type Household = { id: number; name: string; email: string; members: number; roles: number[]; since: string }

/** An RSVP. `touched`: a person has sent or changed it; `sent`: by the form, for this week alone. */
type Row = {
  household: Household
  members: number
  roles: number[]
  coming: boolean
  state: 'live' | 'superseded' | 'deleted'
  touched: boolean
  sent: boolean
}

const DAY = 24 * 3600 * 1000

export class Model {
  readonly households: Household[] = []
  readonly ended = new Set<number>()
  readonly skipped = new Set<string>()
  private rows = new Map<string, Row[]>()
  private starts = new Map<string, number>()
  private readonly clock: Intl.DateTimeFormat
  /** The next day to look at. */
  private next: string

  constructor(
    zone: string,
    public weekday: number,
    readonly time: string,
    now: number,
    readonly needs: Record<number, number>,
  ) {
    const style = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const
    this.clock = new Intl.DateTimeFormat('sv-SE', { ...style, timeZone: zone, hourCycle: 'h23' })
    this.next = new Date(now).toISOString().slice(0, 10)
  }

  /** Tries every quarter of an hour until a clock on the wall shows it. */
  startOf(day: string): number {
    const known = this.starts.get(day)
    if (known !== undefined) return known
    for (let at = Date.parse(`${day}T${this.time}Z`) - DAY; ; at += 15 * 60_000) {
      if (this.clock.format(at) !== `${day} ${this.time}`) continue
      this.starts.set(day, at)
      return at
    }
  }

  endOf(day: string): number {
    return this.startOf(day) + 2 * 3600 * 1000
  }

  /** The days of the services that are not over, `count` of them. */
  services(now: number, count: number, skipped = this.skipped): string[] {
    const days: string[] = []
    for (let at = now - 3 * DAY; days.length < count; at += DAY) {
      const day = new Date(at).toISOString().slice(0, 10)
      if (this.isService(day, skipped) && this.endOf(day) > now) days.push(day)
    }
    return days
  }

  rowsOn(day: string): Row[] {
    const rows = this.rows.get(day) ?? []
    this.rows.set(day, rows)
    return rows
  }

  /** The RSVP of the household's standing RSVP for a day, in any state. */
  find(day: string, household: Household): Row | undefined {
    return this.rowsOn(day).find((row) => row.household === household && !row.sent)
  }

  add(day: string, household: Household, changes: Partial<Row> = {}): void {
    const { members, roles } = household
    const usual = { members, roles, coming: true, state: 'live', touched: true, sent: false } as const
    this.rowsOn(day).push({ household, ...usual, ...changes })
  }

  room(day: string, role: number): number {
    const filling = this.rowsOn(day).filter((row) => row.state === 'live' && row.coming && row.roles.includes(role))
    return (this.needs[role] ?? Number.POSITIVE_INFINITY) - filling.length
  }

  /** What a running site has written at this moment; returns how many RSVPs are new. */
  run(now: number): number {
    let written = 0
    const [current = ''] = this.services(now, 1)
    for (; this.next <= current; this.next = dayAfter(this.next)) {
      if (!this.isService(this.next, this.skipped)) continue
      for (const household of this.households) {
        const own = this.rowsOn(this.next).filter((row) => row.household === household)
        const isSaid = own.some((row) => !row.sent || row.state === 'live')
        if (this.ended.has(household.id) || household.since > this.next || isSaid) continue
        const roles = household.roles.filter((role) => this.room(this.next, role) > 0)
        this.add(this.next, household, { roles, touched: false })
        written++
      }
    }
    return written
  }

  end(household: Household, now: number): void {
    this.ended.add(household.id)
    for (const [day, rows] of this.rows)
      for (const row of rows)
        if (row.household === household && !row.sent && this.startOf(day) > now) row.state = 'deleted'
  }

  skip(day: string, now: number): void {
    this.skipped.add(day)
    this.rows.set(
      day,
      this.rowsOn(day).filter((row) => row.touched || row.state === 'deleted'),
    )
    this.lookAgain(now)
  }

  unskip(day: string, now: number): void {
    this.skipped.delete(day)
    this.lookAgain(now)
  }

  move(weekday: number, days: number, now: number): void {
    const [first = ''] = this.services(now, 1, new Set())
    const moved = (day: string) =>
      day < first ? day : new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10)
    this.rows = new Map(Array.from(this.rows, ([day, rows]) => [moved(day), rows]))
    const skipped = Array.from(this.skipped, moved)
    this.skipped.clear()
    for (const day of skipped) this.skipped.add(day)
    this.weekday = weekday
    this.lookAgain(now)
  }

  private lookAgain(now: number): void {
    const [current = ''] = this.services(now, 1)
    if (current < this.next) this.next = current
    this.run(now)
  }

  private isService(day: string, skipped: Set<string>): boolean {
    return new Date(day).getUTCDay() === this.weekday && !skipped.has(day)
  }
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + DAY).toISOString().slice(0, 10)
}
