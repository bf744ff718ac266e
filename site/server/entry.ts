import { refuseOldNode } from '#db/config/node-version.ts'

refuseOldNode()
await import('./main.ts')
