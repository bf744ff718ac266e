/** Of the ratio to the limit if there is one, otherwise of the figure itself. */
type Target = { atMost: number } | { atLeast: number }

/** One thing that a row measures, a sample per round. */
export type Figure = { name: string; unit: string; ours: number[]; limit?: number[]; target: Target }

export type Row = {
  /** What is measured, and the limit with which it is compared in the same run. */
  about: string
  /** How often by default: a row takes less than about two minutes. */
  rounds: number
  measure(rounds: number): Promise<Figure[]>
}

export const HEAD = ['row', 'figure', 'ours', 'limit', 'ratio', 'target', '']

/** Measures ours and the limit in turns, so that a change in the machine's speed affects both. */
export async function inTurns<Sample>(
  rounds: number,
  { ours, limit }: Record<'ours' | 'limit', () => Sample | Promise<Sample>>,
): Promise<Record<'ours' | 'limit', Sample[]>> {
  const samples = { ours: [] as Sample[], limit: [] as Sample[] }
  // The first one of each warms up: files are read into memory, code is compiled.
  await ours()
  await limit()
  for (let round = 0; round < rounds; round++) {
    samples.ours.push(await ours())
    samples.limit.push(await limit())
  }
  return samples
}

/** Measures alone. */
export async function inRounds<Sample>(rounds: number, measure: () => Promise<Sample>): Promise<Sample[]> {
  const samples: Sample[] = []
  for (let round = 0; round < rounds; round++) samples.push(await measure())
  return samples
}

/** One number of every sample. */
export function both<Name extends string>(samples: Record<'ours' | 'limit', Record<Name, number>[]>, name: Name) {
  return { ours: each(samples.ours, name), limit: each(samples.limit, name) }
}

export function each<Name extends string>(samples: Record<Name, number>[], name: Name): number[] {
  return samples.map((one) => one[name])
}

/** A figure as a line of the table with the head `HEAD`. */
export function lineOf(id: string, figure: Figure): string[] {
  const { name, unit, ours, limit, target } = figure
  const rounds = ours.map((sample, round) => sample / (limit?.[round] ?? Number.NaN))
  const shownTarget = 'atMost' in target ? `≤ ${target.atMost}` : `≥ ${target.atLeast}`
  return [
    id,
    name,
    spreadOf(ours, medianOf(ours), unit),
    limit === undefined ? '' : spreadOf(limit, medianOf(limit), unit),
    limit === undefined ? '' : spreadOf(rounds, comparedOf(figure)),
    limit === undefined ? `${shownTarget} ${unit}` : shownTarget,
    isMissed(figure) ? 'MISSED' : 'met',
  ]
}

/** A missing or invalid sample misses every target. */
export function isMissed(figure: Figure): boolean {
  const { target } = figure
  const value = comparedOf(figure)
  return !('atMost' in target ? value <= target.atMost : value >= target.atLeast)
}

/** The ratio of the medians, or the median itself. */
function comparedOf({ ours, limit }: Figure): number {
  return limit === undefined ? medianOf(ours) : medianOf(ours) / medianOf(limit)
}

function medianOf(samples: number[]): number {
  if (samples.length === 0 || samples.some(Number.isNaN)) return Number.NaN
  return percentileOf(
    samples.toSorted((one, other) => one - other),
    0.5,
  )
}

/** The value that this part of the sorted samples does not exceed, e.g. 0.99. */
export function percentileOf(sorted: ArrayLike<number>, part: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN
}

function spreadOf(samples: number[], median: number, unit = ''): string {
  return `${text(median)}${unit && ` ${unit}`} [${text(Math.min(...samples))} … ${text(Math.max(...samples))}]`
}

/** With about three significant digits. */
function text(number: number): string {
  const digits = Math.abs(number) >= 100 ? 0 : Math.abs(number) >= 10 ? 1 : 2
  return number.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}
