import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

export const testOrigin = 'https://rsvp.example.org'

export type Deviation = { origin?: string; rpId?: string; flags?: number; challenge?: string; type?: string }

/** Signs as an authenticator does (Web Authentication, level 3), or deviates from what is right. */
export function newAuthenticator() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const rawId = randomBytes(16)
  const id = rawId.toString('base64url')
  const point = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
  const key = isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, point(x)],
      [-3, point(y)],
    ]),
  )
  const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest()
  const clientOf = (type: string, options: object, deviation: Deviation) =>
    Buffer.from(
      JSON.stringify({ type, origin: testOrigin, challenge: Reflect.get(options, 'challenge'), ...deviation }),
    )
  function authenticated(
    counter: number,
    { rpId = 'rsvp.example.org', flags = 0x05 }: Deviation,
    made?: Buffer,
  ): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    const of = Buffer.from([made ? flags | 0x40 : flags])
    return Buffer.concat([sha256(rpId), of, count, ...(made ? [made] : [])])
  }
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
  const sent = (response: Record<string, Uint8Array>) => ({
    ...{ id, rawId: id, type: 'public-key' },
    response: Object.fromEntries(Object.entries(response).map(([name, bytes]) => [name, text(bytes)])),
  })
  return {
    id,
    make(options: object, deviation: Deviation = {}, counter = 0) {
      const made = Buffer.concat([Buffer.alloc(16), Buffer.from([0, rawId.length]), rawId, key])
      const authData = new Uint8Array(authenticated(counter, deviation, made))
      const attested = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ])
      const attestationObject = isoCBOR.encode(attested as Parameters<typeof isoCBOR.encode>[0])
      return sent({ clientDataJSON: clientOf('webauthn.create', options, deviation), attestationObject })
    },
    sign(options: object, deviation: Deviation = {}, counter = 0, signer = privateKey) {
      const clientDataJSON = clientOf('webauthn.get', options, deviation)
      const authenticatorData = authenticated(counter, deviation)
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientDataJSON)]), signer)
      return sent({ clientDataJSON, authenticatorData, signature })
    },
  }
}
export type Authenticator = ReturnType<typeof newAuthenticator>
