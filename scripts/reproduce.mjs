// Makes two releases of the last commit and compares them byte for byte: in two clones, in folders of other lengths, with other
// rights for new files, in another time zone and another language.
//
// `npm run reproduce` ends with exit code 1 where a file differs. `-- --platform linux-x64` compares one platform.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, systemEnvironment } from './local-node.mjs'
import { Failure, finish, run } from './run.mjs'

const place = mkdtempSync(join(tmpdir(), 'rsvp-reproduce-'))
const makers = [
  { folder: join(place, 'a'), umask: '022', variables: { TZ: 'UTC', LANG: 'C.UTF-8' } },
  {
    folder: join(place, 'another place', 'with a longer name'),
    umask: '077',
    variables: { TZ: 'Asia/Seoul', LANG: 'C' },
  },
]

finish(async () => {
  try {
    for (const maker of makers) await makeRelease(maker)
    const differences = compare(...makers.map(({ folder }) => join(folder, 'release')))
    if (differences.length > 0) throw new Failure(`${differences.join('\n')}\nThe releases differ, see above.`)
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
})

async function makeRelease({ folder, umask, variables }) {
  mkdirSync(folder, { recursive: true })
  const words = ['release', '--', ...process.argv.slice(2)].map((word) => `'${word}'`).join(' ')
  const line = `umask ${umask} && git clone --quiet '${root}' '${folder}' && cd '${folder}' && npm run ${words}`
  console.error(`Making a release in ${folder}…`)
  const { code, output } = await run('sh', ['-c', line], { ...systemEnvironment(), ...variables })
  if (code !== 0) throw new Failure(`${output.trim()}\nNo release could be made, see above.`)
}

/** Prints what is equal, and returns a sentence for each file that is not. */
function compare(one, other) {
  const names = Array.from(new Set([...readdirSync(one), ...readdirSync(other)])).sort()
  return names.flatMap((name) => {
    const [first, second] = [one, other].map((folder) => contentOf(join(folder, name)))
    if (first === undefined || second === undefined) return [`${name} is in one of them only.`]
    if (!first.equals(second)) return [`${name} differs from byte ${firstDifference(first, second)} on.`]
    console.log(`equal  ${name}`)
    return []
  })
}

function contentOf(file) {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}

function firstDifference(one, other) {
  const at = one.findIndex((byte, index) => byte !== other[index])
  return at === -1 ? one.length : at
}
