import type { Load } from './load.ts'
import type { Watched } from './watched.ts'

const SAMPLE_INTERVAL_MS = 1000
/** Memory that grows by less than this is stable. */
const TOLERANCE = 0.1

/** The figures of a step. Memory in MiB: the median during the step, and the rest once all garbage was collected. */
export type Step = {
  requests: number
  busy: number
  errors: string[]
  p50: number
  p99: number
  memory: number
  resting: number
  heap: number
  files: number
}

/**
 * Does the same work as every other step. It ends with all garbage collected and no client connected, so that memory and
 * open files can be compared between steps.
 */
export async function runStep(load: Load, watched: Watched, { ms, perSecond }: { ms: number; perSecond: number }) {
  const samples: number[] = []
  const sampling = setInterval(() => samples.push(watched.memory()), SAMPLE_INTERVAL_MS)
  const { times, busy, errors } = await load.run(ms, perSecond)
  clearInterval(sampling)
  const heap = await watched.heapAfterCollection()
  const step: Step = {
    requests: times.length,
    busy,
    errors,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    memory: quantile(samples, 0.5),
    resting: Math.round(watched.memory()),
    heap: Math.round(heap * 10) / 10,
    files: watched.files(),
  }
  return step
}

/** Says in sentences what grew. The first step warms up: caches fill, code is compiled. */
export function judgeSteps([, first, ...others]: Step[]): string[] {
  const last = others.at(-1)
  if (first === undefined || last === undefined) return ['There are too few steps to compare: pass a higher --minutes.']
  const findings = []
  for (const [what, key] of [
    ['Memory', 'memory'],
    ['The JavaScript heap', 'heap'],
  ] as const) {
    if ((last[key] - first[key]) / first[key] >= TOLERANCE)
      findings.push(`${what} grew from ${first[key]} to ${last[key]} MiB.`)
  }
  if (last.files > first.files) findings.push(`Open files grew from ${first.files} to ${last.files}.`)
  return findings
}

function quantile(numbers: number[], fraction: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return Math.round((sorted[Math.floor((sorted.length - 1) * fraction)] ?? 0) * 10) / 10
}
