// `npm version minor` calls it between writing the version into package.json and committing: the changelog gets it too.
import { join } from 'node:path'
import { localEnvironment, root } from '../local-node.mjs'
import { Failure, finish, run } from '../run.mjs'
import { nameUnreleased } from './version.mjs'

finish(async () => {
  nameUnreleased(join(root, 'CHANGELOG.md'), process.env.npm_package_version, new Date().toISOString().slice(0, 10))
  const { code, output } = await run('git', ['add', 'CHANGELOG.md'], localEnvironment())
  if (code !== 0) throw new Failure(output.trim())
})
