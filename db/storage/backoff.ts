const FIRST_DELAY_MS = 5
const LONGEST_DELAY_MS = 200

/** How long to wait after this many failures, jittered: processes that met each other do not meet again. */
export function backoffMs(failures: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** (failures - 1), LONGEST_DELAY_MS) * (0.5 + Math.random())
}
