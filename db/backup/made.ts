import type { StoredCounts } from './copy.ts'

// What the audit keeps of a backup: its file, and what must be in it. Older versions kept the file alone.

const MADE = /^(.*) \(responses (\d+), with deleted ones (\d+), latest id (\d+)\)$/s

export function madeSubject(file: string, { responses, rows, latest }: StoredCounts): string {
  return `${file} (responses ${responses}, with deleted ones ${rows}, latest id ${latest})`
}

export function fileMade(subject: string): string {
  return MADE.exec(subject)?.[1] ?? subject
}

export function countsMade(subject: string): StoredCounts | undefined {
  const [, , responses, rows, latest] = MADE.exec(subject) ?? []
  if (latest === undefined) return undefined
  return { responses: Number(responses), rows: Number(rows), latest: Number(latest) }
}

export function areEqual(one: StoredCounts, other: StoredCounts): boolean {
  return one.responses === other.responses && one.rows === other.rows && one.latest === other.latest
}
