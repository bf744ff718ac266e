import { refuseOldNode } from '#db/process/node-version.ts'

refuseOldNode()
await import('./main.ts')
