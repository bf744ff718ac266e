/** What a figure may be at most or at least: its ratio to the limit where it has one, otherwise the figure itself. */
export type Target = { atMost: number } | { atLeast: number }

/** One thing that a row measures, a sample per round. Without a target it is for reading only. */
export type Figure = { name: string; unit: string; ours: number[]; limit?: number[]; target?: Target }

export type Spread = { median: number; min: number; max: number }
export type JudgedFigure = {
  name: string
  unit: string
  ours: Spread
  limit?: Spread
  /** Of the medians; from the lowest to the highest of a round. */
  ratio?: Spread
  target?: Target
  missed: boolean
}

export function judge({ name, unit, ours, limit, target }: Figure): JudgedFigure {
  const oursSpread = spreadOf(ours)
  const limitSpread = limit && spreadOf(limit)
  const ratio = limit && limitSpread && ratioOf(ours, limit)
  const compared = (ratio ?? oursSpread).median
  return {
    name,
    unit,
    ours: oursSpread,
    ...(limitSpread && { limit: limitSpread }),
    ...(ratio && { ratio }),
    ...(target && { target }),
    missed: target !== undefined && !meets(compared, target),
  }
}

function spreadOf(samples: number[]): Spread {
  return { median: medianOf(samples), min: Math.min(...samples), max: Math.max(...samples) }
}

/** Not a number where a sample is not. */
function medianOf(samples: number[]): number {
  if (samples.some(Number.isNaN)) return Number.NaN
  const sorted = samples.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]]
  if (low === undefined || high === undefined) throw new Error('There are no samples.')
  return (low + high) / 2
}

/** The value that this part of the sorted samples does not exceed, e.g. 0.99. */
export function percentileOf(sorted: ArrayLike<number>, part: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN
}

function ratioOf(ours: number[], limit: number[]): Spread {
  const rounds = ours.map((sample, round) => sample / (limit[round] ?? Number.NaN))
  return { ...spreadOf(rounds), median: medianOf(ours) / medianOf(limit) }
}

/** A sample that is missing or not a number meets nothing. */
function meets(value: number, target: Target): boolean {
  return 'atMost' in target ? value <= target.atMost : value >= target.atLeast
}
