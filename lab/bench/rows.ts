import type { Row } from './row.ts'
import { h1 } from './rows/h1.ts'
import { h2 } from './rows/h2.ts'
import { h3 } from './rows/h3.ts'

/** Everything that is measured, in the order of docs/performance.md. */
export const rows: Row[] = [h1, h2, h3]
