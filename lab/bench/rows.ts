import type { Row } from './row.ts'
import { c1 } from './rows/c1.ts'
import { c2 } from './rows/c2.ts'
import { d1 } from './rows/d1.ts'
import { h1 } from './rows/h1.ts'
import { h2 } from './rows/h2.ts'
import { h3 } from './rows/h3.ts'
import { h4 } from './rows/h4.ts'
import { h5 } from './rows/h5.ts'
import { l1 } from './rows/l1.ts'
import { l2 } from './rows/l2.ts'
import { r1 } from './rows/r1.ts'
import { r2 } from './rows/r2.ts'

/** Everything that is measured, in the order of docs/performance.md. */
export const rows: Row[] = [h1, h2, h3, h4, h5, r1, r2, c1, c2, d1, l1, l2]
