import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decryptFile, encryptFile, makeIdentity } from './encryption.ts'

const folder = mkdtempSync(join(tmpdir(), 'rsvp-age-'))
const [plain, encrypted, decrypted] = ['plain', 'encrypted', 'decrypted'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
]
const { signal } = new AbortController()
/** The size of a piece that is encrypted and authenticated as one, with what authenticates it. */
const PIECE = 64 * 1024 + 16
const content = randomBytes(200_000)
let key: { identity: string; recipient: string }
let other: typeof key

beforeAll(async () => {
  key = await makeIdentity()
  other = await makeIdentity()
  writeFileSync(plain, content)
  await encryptFile(plain, encrypted, [key.recipient], signal)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const decrypt = (...identities: string[]) => decryptFile(encrypted, decrypted, identities, signal)

describe('encryptFile', () => {
  it.each([0, 64 * 1024])('and decryptFile give back a file of %d bytes, to each recipient', async (size) => {
    const [file, copy, back] = ['a', 'b', 'c'].map((name) => join(folder, name)) as [string, string, string]
    const bytes = randomBytes(size)
    writeFileSync(file, bytes)
    await encryptFile(file, copy, [other.recipient, key.recipient], signal)
    for (const { identity } of [key, other]) {
      expect(await decryptFile(copy, back, [identity], signal)).toBe('decrypted')
      expect(readFileSync(back).equals(bytes)).toBe(true)
    }
  })

  it('refuses a recipient with a mistake, in a sentence', async () => {
    const wrong = key.recipient.replace(/.$/, (last) => (last === 'q' ? 'p' : 'q'))
    await expect(encryptFile(plain, decrypted, [wrong], signal)).rejects.toMatchObject({
      code: 'configuration',
      message: `BACKUP_COPY_RECIPIENT has a mistake in ${wrong}: copy it again.`,
    })
  })
})

describe('decryptFile', () => {
  it('knows what was encrypted for others', async () => expect(await decrypt(other.identity)).toBe('for others'))

  it.each<[string, (bytes: Buffer) => Uint8Array]>([
    ['has one other bit', (bytes) => flipped(bytes, bytes.length - 5000)],
    [
      'ends between two pieces',
      (bytes) => bytes.subarray(0, bytes.length - ((bytes.length - headerOf(bytes)) % PIECE)),
    ],
    ['ends in its header', (bytes) => bytes.subarray(0, 50)],
  ])('knows that a file is damaged which %s', async (_, change) => {
    const whole = readFileSync(encrypted)
    try {
      writeFileSync(encrypted, change(whole))
      expect(await decrypt(key.identity)).toBe('damaged')
    } finally {
      writeFileSync(encrypted, whole)
    }
  })
})

/** The program that others have; this machine may lack it. */
const hasAge = spawnSync('age', ['--version']).status === 0

describe.skipIf(!hasAge)('the program age', () => {
  it('decrypts what we encrypt, and the other way round', async () => {
    const file = join(folder, 'identity.txt')
    writeFileSync(file, `# created: today\n${key.identity}\n`)
    expect(execFileSync('age', ['--decrypt', '--identity', file, encrypted]).equals(content)).toBe(true)
    const theirs = join(folder, 'theirs')
    execFileSync('age', ['--recipient', key.recipient, '--output', theirs, plain])
    expect(await decryptFile(theirs, decrypted, [key.identity], signal)).toBe('decrypted')
    expect(readFileSync(decrypted).equals(content)).toBe(true)
  })
})

function flipped(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes)
  changed[at] = (changed[at] ?? 0) ^ 1
  return changed
}

/** Where the pieces begin: behind the header and a nonce. */
function headerOf(bytes: Buffer): number {
  return bytes.indexOf('\n', bytes.indexOf('\n---') + 1) + 1 + 16
}
