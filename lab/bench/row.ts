import type { Figure } from './figures.ts'

/** What is measured together, named as in docs/performance.md. */
export type Row = {
  id: string
  /** What is measured. */
  title: string
  /** What it is compared with in the same run. */
  limit: string
  /** How often by default: a row takes less than about two minutes. */
  rounds: number
  measure(rounds: number): Promise<Figure[]>
}

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
